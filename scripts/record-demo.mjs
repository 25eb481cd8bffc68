// Records `npm run demo` in a pty, as an animated SVG for the README: docs/demo.svg. `--keep-raw <file>` also writes what the pty said.
// Rows that are the same in several frames are drawn once, so the file stays small. It moves only for those who want motion.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'

const { values } = parseArgs({ options: { 'keep-raw': { type: 'string' }, out: { type: 'string' } } })
const root = new URL('..', import.meta.url).pathname
const out = values.out ?? `${root}docs/demo.svg`
const COLS = 104
const ROWS = 30
const CHAR = 7.8
const LINE = 17
/** Nothing happens faster for the reader, and no pause is longer. */
const SHORTEST_MS = 250
const LONGEST_MS = 1800
const LAST_MS = 6000

const terminal = new xterm.Terminal({ cols: COLS, rows: ROWS, allowProposedApi: true, scrollback: 0 })
const written = (text) => new Promise((done) => terminal.write(text, done))

const frames = []
let raw = ''
const startedAt = Date.now()
let feeding = Promise.resolve()
const pty = spawn(process.execPath, [`${root}scripts/demo.mjs`], {
  cols: COLS,
  rows: ROWS,
  cwd: root,
  env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', TERM: 'xterm-256color' },
})
pty.onData((data) => {
  const at = Date.now() - startedAt
  raw += data
  feeding = feeding.then(async () => {
    await written(data)
    keepFrame(at)
  })
})
const code = await new Promise((done) => pty.onExit(({ exitCode }) => done(exitCode)))
await feeding
if (values['keep-raw']) writeFileSync(values['keep-raw'], raw)
if (code !== 0) throw new Error(`the demo ended with ${code}:\n${raw}`)
const svg = drawn(frames)
writeFileSync(out, svg)
console.log(`${out}: ${frames.length} frames, ${Math.round(svg.length / 1024)} KB`)

/** A frame that follows another at once replaces it: a screen is not seen while it is being drawn. */
function keepFrame(at) {
  const rows = Array.from({ length: ROWS }, (_, y) => rowAt(y))
  const last = frames.at(-1)
  if (last !== undefined && last.rows.join('\n') === rows.join('\n')) return
  if (last !== undefined && at - last.at < SHORTEST_MS) last.rows = rows
  else frames.push({ at, rows })
}

/** The row as SVG: parts that look the same are one `tspan`. */
function rowAt(y) {
  const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + y)
  const parts = []
  for (let x = 0; x < COLS; x++) {
    const cell = line?.getCell(x)
    if (cell === undefined || cell.getWidth() === 0) continue
    const look = lookOf(cell)
    const last = parts.at(-1)
    const text = cell.getChars() || ' '
    if (last?.look === look) last.text += text
    else parts.push({ look, text })
  }
  while (parts.length > 0 && parts.at(-1).text.trim() === '') parts.pop()
  if (parts.length > 0) parts[parts.length - 1].text = parts.at(-1).text.trimEnd()
  return parts
    .map(({ look, text }) => (look === '' ? safe(text) : `<tspan class="${look}">${safe(text)}</tspan>`))
    .join('')
}

function lookOf(cell) {
  const colour = cell.isFgPalette() && cell.getFgColor() < 16 ? `c${cell.getFgColor() % 8}` : ''
  return [cell.isBold() ? 'b' : '', cell.isDim() ? 'd' : '', colour].filter(Boolean).join(' ')
}

function safe(text) {
  return text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign])
}

function drawn(all) {
  const rows = [...new Set(all.flatMap((frame) => frame.rows))].filter(Boolean)
  const ids = new Map(rows.map((row, index) => [row, `r${index}`]))
  const lengths = all.map(({ at }, index) =>
    index === all.length - 1 ? LAST_MS : Math.min(LONGEST_MS, Math.max(SHORTEST_MS, all[index + 1].at - at)),
  )
  const total = lengths.reduce((sum, ms) => sum + ms, 0)
  let passed = 0
  const styles = []
  const groups = all.map((frame, index) => {
    const [from, to] = [passed, passed + lengths[index]].map((ms) => ((ms / total) * 100).toFixed(2))
    passed += lengths[index]
    const before = index === 0 ? '' : '0%,'
    const after = index === all.length - 1 ? '' : `${to}%,100%{visibility:hidden}`
    const hidden = before === '' ? '' : `${before}${(from - 0.01).toFixed(2)}%{visibility:hidden}`
    styles.push(
      `@keyframes k${index}{${hidden}${from}%{visibility:visible}${after}}#f${index}{animation-name:k${index}}`,
    )
    const uses = frame.rows.flatMap((row, y) =>
      row === '' ? [] : [`<use href="#${ids.get(row)}" y="${y * LINE}"/>`],
    )
    return `<g id="f${index}" class="f${index === all.length - 1 ? ' last' : ''}">${uses.join('')}</g>`
  })
  const [width, height] = [Math.ceil(COLS * CHAR + 32), ROWS * LINE + 52]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="The demo in a terminal: four tasks; an agent is killed and resumed, a question is answered, the daemon is killed, and all tasks are completed.">
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d7dadd;white-space:pre}
.b{font-weight:700}.d{opacity:.65}.c1{fill:#f47067}.c2{fill:#57ab5a}.c3{fill:#d4a72c}.c4{fill:#6cb6ff}.c5{fill:#dcbdfb}.c6{fill:#56b6b0}
.f{visibility:hidden}.last{visibility:visible}
@media (prefers-reduced-motion:no-preference){.f{animation:${(total / 1000).toFixed(2)}s step-end infinite}
${styles.join('\n')}}
</style>
<rect width="${width}" height="${height}" rx="10" fill="#15171a"/><rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9.5" fill="none" stroke="#5c6168" stroke-opacity=".5"/>
<circle cx="20" cy="18" r="5" fill="#5c6168"/><circle cx="37" cy="18" r="5" fill="#5c6168"/><circle cx="54" cy="18" r="5" fill="#5c6168"/>
<defs>${rows.map((row) => `<text id="${ids.get(row)}" xml:space="preserve">${row}</text>`).join('\n')}</defs>
<g transform="translate(16 48)">${groups.join('\n')}</g>
</svg>
`
}
