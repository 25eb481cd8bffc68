import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { realDrivers } from '../../src/agents/all.ts'
import { scriptedDriver } from '../../src/agents/scripted.ts'
import type { ScreenView } from '../../src/ports/screen.ts'

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
