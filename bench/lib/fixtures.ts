// What real agents said and showed, recorded: scripts/bench.mjs puts the tests' fixtures beside the bundled bench.
import { readdirSync, readFileSync } from 'node:fs'
import type { ScreenView } from '../../src/ports/run/screen.ts'

const folder = new URL('../fixtures/', import.meta.url).pathname

/** All event streams of an agent, one after the other, again and again up to this many bytes. */
export function eventStream(kind: string, bytes: number): Buffer {
  const streams = filesIn(`events/${kind}`, '.jsonl').map(
    (path) => `${readFileSync(path, 'utf8').trimEnd()}\n`,
  )
  const all = Buffer.from(streams.join(''))
  return Buffer.concat(Array.from({ length: Math.ceil(bytes / all.length) }, () => all))
}

export const screens = (kind: string): ScreenView[] =>
  filesIn(`screens/${kind}`, '.txt').map((path) => ({
    text: readFileSync(path, 'utf8'),
    ...JSON.parse(readFileSync(path.replace(/txt$/, 'meta.json'), 'utf8')),
  }))

const filesIn = (sub: string, ending: string) =>
  readdirSync(`${folder}${sub}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}${sub}/${name}`)
