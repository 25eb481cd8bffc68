import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { built } from './lib/home.ts'
import { amountRow, report } from './lib/report.ts'

const KB = 1024
const page = built('web')
const packed = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(page, name))).length, 0)
const kb = (bytes: number) => `${(bytes / KB).toFixed(0)} KB`

/** What the document names: its scripts and styles, also those that they import at once. */
const document = readFileSync(join(page, 'index.html'), 'utf8')
const named = [...document.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name!)
const first = ['index.html', ...new Set(named)]
const all = readdirSync(page, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(html|js|css)$/.test(name),
)
const react = gzipSync(readFileSync('node_modules/react-dom/cjs/react-dom-client.production.js')).length

report('How much does the page load, packed? (floor: React’s own renderer, not minified)', [
  amountRow('the first screen', react, packed(first), kb, 200 * KB),
  amountRow('every screen, one after the other', react, packed(all), kb),
])
