import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { realDrivers } from '../../src/agents/all.ts'
import { scriptedDriver } from '../../src/agents/scripted/driver.ts'
import type { ScreenView } from '../../src/ports/run/screen.ts'

/** Recorded from the real programs: `screens/<kind>/<phase>--<what>.txt`, with title and cursor in `….meta.json`. */
const folder = fileURLToPath(new URL('../fixtures/screens/', import.meta.url))
const drivers = [...realDrivers, scriptedDriver({ executable: [] })].filter(({ kind }) =>
  existsSync(`${folder}${kind}`),
)

const screens = drivers.flatMap(({ kind, readScreen }) =>
  readdirSync(`${folder}${kind}`)
    .filter((file) => file.endsWith('.txt'))
    .map((file) => ({ kind, readScreen, name: file.slice(0, -'.txt'.length), phase: file.split('--')[0] })),
)

const textOf = (kind: string, name: string) => readFileSync(`${folder}${kind}/${name}.txt`, 'utf8')

function viewOf(kind: string, name: string): ScreenView {
  const meta = `${folder}${kind}/${name}.meta.json`
  return { text: textOf(kind, name), ...(existsSync(meta) ? JSON.parse(readFileSync(meta, 'utf8')) : {}) }
}

test('every folder of screens belongs to an agent', () => {
  expect(drivers.map(({ kind }) => kind).sort()).toEqual(readdirSync(folder).sort())
})

test.each(screens)('$kind: $name is not misread from its text alone', ({ kind, name, phase, readScreen }) => {
  expect([phase, 'unknown']).toContain(readScreen({ text: textOf(kind, name) }).phase)
})

test.each(screens)('$kind: $name is read with title and cursor', ({ kind, name, phase, readScreen }) => {
  expect(readScreen(viewOf(kind, name))).toMatchObject({ phase })
})

test.each(screens)('$kind: $name names what it saw', ({ kind, name, readScreen }) => {
  expect(readScreen(viewOf(kind, name)).evidence).not.toBe('')
})

const PROMPTS = ['SHELL$ ', 'user@host:~/project$ ', 'root@box:/srv# ', '~ % ', '❯ ', '➜  project ']
const living = screens.filter(({ phase }) => phase !== 'exited')

/** The screen as a shell leaves it that comes back below the last picture. */
function belowIt({ text }: ScreenView, prompt: string): ScreenView {
  const lines = text.trimEnd().split('\n')
  return { text: [...lines, prompt].join('\n'), cursor: { x: prompt.length, y: lines.length } }
}

/** As one that comes back where the cursor was: it tells what became of the agent, and asks in the next line. */
function whereItWas({ text, cursor }: ScreenView, prompt: string): ScreenView | undefined {
  if (cursor === undefined) return undefined
  const lines = text.split('\n')
  const over = (line: string, at: number, words: string) =>
    line.padEnd(at).slice(0, at) + words + line.slice(at + words.length)
  lines[cursor.y] = over(lines[cursor.y] ?? '', cursor.x, 'Killed')
  lines[cursor.y + 1] = over(lines[cursor.y + 1] ?? '', 0, prompt)
  return { text: lines.join('\n'), cursor: { x: prompt.length, y: cursor.y + 1 } }
}

test.each(living)('$kind: $name under a shell’s prompt is no living agent', ({ kind, name, readScreen }) => {
  const view = viewOf(kind, name)
  for (const prompt of PROMPTS)
    for (const left of [belowIt(view, prompt), whereItWas(view, prompt)])
      if (left !== undefined)
        for (const title of [view.title ?? '', ''])
          expect(['exited', 'unknown'], `${prompt}\n${left.text}`).toContain(
            readScreen({ ...left, title }).phase,
          )
})
