// A recorded screen on disk: `<kind>/<phase>--<what>.txt`, with title and cursor in `….meta.json`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Screen } from './anybodys-screen.ts'

/** Undefined when there is none. */
export function readFixture(folder: string, name: string): Screen | undefined {
  const { text, meta } = pathsOf(folder, name)
  if (!existsSync(text)) return undefined
  return { text: readFileSync(text, 'utf8'), ...JSON.parse(readFileSync(meta, 'utf8')) }
}

/** Returns where the text lies. */
export function writeFixture(folder: string, name: string, { text, title, cursor }: Screen): string {
  const paths = pathsOf(folder, name)
  writeFileSync(paths.text, text)
  writeFileSync(paths.meta, `${JSON.stringify({ title, cursor })}\n`)
  return paths.text
}

const pathsOf = (folder: string, name: string) => ({
  text: join(folder, `${name}.txt`),
  meta: join(folder, `${name}.meta.json`),
})

/** What differs from look to look though nothing happens: spinners, counters, clocks, mascots, tips and the like. */
const MOTION: readonly (readonly [RegExp, string])[] = [
  // Claude Code asks the terminal for graphics, and tmux takes that for a title until it sets one.
  [/^Gi=31,.*/, '✳ Claude Code'],
  [/^.*\bTip\b.*$/gm, ''],
  [/^\S \p{Lu}\S+…/gmu, '✻ Doing…'],
  [/^✻ \p{Lu}\S+ for /gmu, '✻ Did for '],
  [/[\u2800-\u28ff\u2580-\u259f·✢✳✶✻✽*◐◑◒◓●■⬝•◦]/g, ''],
  [/\[ [!.] \]/g, '[ ! ]'],
  [/\d+/g, '0'],
  [/\s+/g, ' '],
]

export const withoutMotion = ({ text, title }: Screen) =>
  MOTION.reduce((so, [pattern, rest]) => so.replace(pattern, rest), `${title}\n${text}`)
