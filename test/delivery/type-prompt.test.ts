import { expect, test } from 'vitest'
import { typePrompt } from '../../src/delivery/type-prompt.ts'
import { reading } from '../../src/ports/screen.ts'
import type { PaneView, Typed } from '../../src/ports/terminal.ts'

const view: PaneView = {
  text: '',
  title: '',
  cursor: { x: 0, y: 0 },
  dead: false,
  inMode: false,
  pasted: '',
  pressed: '',
}
const idle = reading('idle', 'box')
const drafted = reading('idle', 'box', { draft: 'do it' })

/** Writes down what it was told to do. */
function keyboard(answer: Typed = 'done') {
  const typed: string[] = []
  return {
    typed,
    paste: async (_name: string, _mark: string, tag: string, text: string) => {
      typed.push(`paste ${tag} ${text}`)
      return answer
    },
    press: async (_name: string, _mark: string, tag: string, keys: readonly string[]) => {
      typed.push(`press ${tag} ${keys.join(' ')}`)
      return answer
    },
  }
}

const step = (keys: ReturnType<typeof keyboard>, seen = {}, read = idle) =>
  typePrompt(
    { tag: 'i1', text: 'do it' },
    { name: 'n', mark: 'm' },
    { view: { ...view, ...seen }, reading: read },
    keys,
  )

test('it is pasted into an empty box at rest, then sent by Enter alone once it is seen there', async () => {
  const keys = keyboard()
  expect(await step(keys)).toBe('waiting')
  expect(await step(keys, { pasted: 'i1' }, drafted)).toBe('said')
  expect(keys.typed).toEqual(['paste i1 do it', 'press i1 Enter'])
})

test.each([
  ['a person’s draft', {}, drafted],
  ['work', {}, reading('working', 'spinner')],
  ['a dialog', {}, reading('asking', 'Proceed?')],
  ['an unreadable screen', {}, reading('unknown', '')],
  ['a dead pane', { dead: true }, idle],
  ['a person in its history', { inMode: true }, idle],
])('nothing is typed over %s', async (_what, seen, read) => {
  const keys = keyboard()
  expect(await step(keys, seen, read)).toBe('waiting')
  expect(keys.typed).toEqual([])
})

test.each([
  ['a dialog came between', reading('asking', 'Proceed?')],
  ['it is not drawn yet', idle],
])('what was pasted is neither pasted again nor sent while %s', async (_what, read) => {
  const keys = keyboard()
  expect(await step(keys, { pasted: 'i1' }, read)).toBe('waiting')
  expect(keys.typed).toEqual([])
})

test('what was sent is never sent again', async () => {
  const keys = keyboard()
  expect(await step(keys, { pasted: 'i1', pressed: 'i1' }, drafted)).toBe('said')
  expect(keys.typed).toEqual([])
})

test('an Enter that was refused is tried again', async () => {
  expect(await step(keyboard('refused'), { pasted: 'i1' }, drafted)).toBe('waiting')
  expect(await step(keyboard('already'), { pasted: 'i1' }, drafted)).toBe('said')
})
