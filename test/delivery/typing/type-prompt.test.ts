import { expect, test } from 'vitest'
import { type BoxSeen, boxAfter, UNSENT_MS } from '../../../src/delivery/typing/box-seen.ts'
import { DRAWN_MS, stepOf, typePrompt } from '../../../src/delivery/typing/type-prompt.ts'
import { type Drawn, drawnAs, isShown, nameOfShown } from '../../../src/domain/text/drawn-text.ts'
import { reading, type ScreenReading } from '../../../src/ports/run/screen.ts'
import type { PaneView, Typed } from '../../../src/ports/run/terminal.ts'

const TEXT = 'do it, all of it'
const QUIET_MS = 20_000

const view: PaneView = {
  text: '',
  title: '',
  cursor: { x: 4, y: 2 },
  dead: false,
  inMode: false,
  pasted: '',
  pressed: '',
  cleared: '',
  note: '',
  keyAgeMs: null,
  typists: [],
  stir: '7.0',
}
const idle = reading('idle', 'box')
const drafted = (draft: string) => reading('idle', 'box', { draft })

type Sight = {
  seen?: Partial<PaneView>
  read?: ScreenReading
  last?: string | null
  after?: number
  isGivenBack?: boolean
}

/** What comes out at the last of these looks; each is so many ms after the one before. */
function looks(...sights: Sight[]) {
  let box: BoxSeen | null = null
  let mono = 1_000_000
  let [pastedLast, lastLast, note] = ['', null as string | null, '']
  const all = sights.map(({ seen = {}, read = idle, last = null, after = 250, isGivenBack = false }) => {
    mono += after
    const pastedNow = seen.pasted ?? ''
    if (box !== null && pastedNow !== pastedLast) note = nameOfShown(lastLast)
    ;[pastedLast, lastLast] = [pastedNow, last]
    const now = { ...view, note, ...seen }
    const isPasted = now.pasted.startsWith('i1')
    const drawn: Drawn | null = isPasted && read.draft !== null ? drawnAs(read.draft, TEXT) : null
    const isSaid = last !== null && isShown(last, TEXT)
    const look = { view: now, reading: read, isPasted, drawn, lastPrompt: last, isSaid }
    box = boxAfter(box, look, mono)
    return { ...look, box, isGivenBack, now: { wall: 1_700_000_000_000 + mono, mono } }
  })
  return all.at(-1)!
}

const step = (...sights: Sight[]) => stepOf({ number: 1 }, looks(...sights), QUIET_MS)
const pasted = { pasted: 'i1' }
const entered = { pasted: 'i1', pressed: 'i1' }
const ours = { seen: pasted, read: drafted(TEXT) }

test('it is pasted into an empty box at rest, then sent by Enter alone once it has stood there', () => {
  expect(step({})).toBe('paste')
  expect(step({}, ours)).toEqual({ kind: 'being_typed' })
  expect(step({}, ours, ours)).toBe('enter')
})

test('a dialog that our paste brings up is not answered by our Enter', () => {
  const dialog = { seen: pasted, read: reading('asking', 'Install the update?') }
  expect(step({}, ours, dialog)).toEqual({ kind: 'dialog' })
  expect(step({}, ours, dialog, ours)).toEqual({ kind: 'being_typed' })
  expect(step({}, ours, dialog, ours, ours)).toBe('enter')
})

test('a dialog that took our Enter is no sign that the agent has the prompt, which still stands in the box', () => {
  const last = 'what was said before'
  const asks = { seen: entered, read: reading('asking', 'Install the update?'), last }
  const left = { seen: entered, read: drafted(TEXT), last }
  const { box } = looks({ last }, { ...ours, last }, asks, left)
  expect(box).toMatchObject({ worked: false, unproven: true })
  const itsOwn = { seen: entered, read: reading('asking', 'Run rm?'), last: TEXT }
  expect(looks({ last }, { ...ours, last }, itsOwn).box).toMatchObject({ worked: true, unproven: false })
})

test.each([
  ['a failed turn', reading('error', 'API Error')],
  ['a limit', reading('limit', 'limit reached')],
])('an agent at rest after %s takes it too', (_what, read) => {
  expect(step({ read })).toBe('paste')
})

test.each([
  ['a person’s draft', {}, drafted('half a line'), 'draft'],
  ['work', {}, reading('working', 'spinner'), 'at_work'],
  ['a dialog', {}, reading('asking', 'Proceed?'), 'dialog'],
  ['an unreadable screen', {}, reading('unknown', ''), 'screen_unclear'],
  ['a start', {}, reading('starting', ''), 'starting'],
  ['a dead pane', { dead: true }, idle, 'no_terminal'],
  ['a person in its history', { inMode: true }, idle, 'history'],
  ['a person who typed a moment ago', { keyAgeMs: 19_000 }, idle, 'person_types'],
])('nothing is typed over %s, and the reason is told', (_what, seen, read, kind) => {
  expect(step({ seen, read })).toMatchObject({ kind })
  const tried = step({ seen: { ...pasted, ...seen }, read })
  expect(['enter', 'paste']).not.toContain(tried)
})

test('who types is told with the time of the last key, and until when it is waited', () => {
  const { now } = looks({})
  expect(step({ seen: { keyAgeMs: 5_000 } })).toEqual({
    kind: 'person_types',
    lastKeyAt: now.wall - 5_000,
    until: now.wall + 15_000,
  })
  expect(step({ seen: { keyAgeMs: QUIET_MS } })).toBe('paste')
})

test('a clock that was set back keeps nobody waiting for longer than the window', () => {
  const future = { keyAgeMs: 0 }
  expect(step({ seen: future }, { seen: future, after: QUIET_MS })).toBe('paste')
})

test('keys of a program, of which only the box tells, are waited for as well', () => {
  const [half, less] = [{ read: drafted('half a line') }, { read: drafted('half a') }]
  expect(step(half, less, {})).toMatchObject({ kind: 'person_types' })
  expect(step(half, less, {}, { after: QUIET_MS })).toBe('paste')
})

test('a text that somebody maims is never sent; when nobody touches it any more it is taken out, and pasted again', () => {
  const maimed = { seen: pasted, read: drafted('do it, all') }
  expect(step({}, ours, maimed)).toMatchObject({ kind: 'person_types' })
  expect(step({}, ours, maimed, { ...maimed, after: QUIET_MS })).toBe('clear')
  const cleared = { seen: { ...pasted, cleared: 'i1' } }
  expect(step({}, ours, maimed, cleared)).toMatchObject({ kind: 'person_types' })
  expect(step({}, ours, maimed, cleared, { ...cleared, after: QUIET_MS })).toBe('paste')
})

test('a letter that is left of ours is taken out; one that somebody typed instead is not', () => {
  const [less, letter, empty] = [
    { seen: pasted, read: drafted('do it') },
    { seen: pasted, read: drafted('d') },
    { seen: pasted },
  ]
  expect(step({}, ours, less, letter, { ...letter, after: QUIET_MS })).toBe('clear')
  expect(step({}, ours, empty, letter, { ...letter, after: QUIET_MS })).toMatchObject({ kind: 'differs' })
})

test('a text in the box that is not only ours is left alone', () => {
  const both = { seen: pasted, read: drafted(`${TEXT} and mine`) }
  expect(step({}, ours, both, { ...both, after: QUIET_MS })).toMatchObject({ kind: 'differs' })
})

test('our text is drawn in pieces: that is nobody’s key', () => {
  const half = { seen: pasted, read: drafted('do it, all') }
  expect(step({}, half)).toEqual({ kind: 'being_typed' })
  expect(step({}, half, ours, ours)).toBe('enter')
})

test('what a person took out of the box is pasted again later; what they sent as it was is not', () => {
  const [gone, last] = [{ seen: pasted, last: 'before' }, 'before']
  expect(step({ last }, { ...ours, last }, gone)).toMatchObject({ kind: 'person_types' })
  expect(step({ last }, { ...ours, last }, gone, { ...gone, after: QUIET_MS })).toBe('paste')
  const sent = { seen: pasted, read: reading('working', ''), last: TEXT }
  expect(step({ last }, { ...ours, last }, sent)).toBe('said')
})

test('what a person sent instead is not ours: it waits for their turn, and is pasted again', () => {
  const last = 'before'
  const works = { seen: pasted, read: reading('working', ''), last: 'something of theirs' }
  const rests = { seen: pasted, last: 'something of theirs' }
  expect(step({ last }, { ...ours, last }, works)).toEqual({ kind: 'at_work' })
  expect(step({ last }, { ...ours, last }, works, rests, { ...rests, after: QUIET_MS })).toBe('paste')
})

test.each(['…', 'do…'])(
  'a prompt of theirs that only says %s is not ours, and ours is not taken for sent',
  (theirs) => {
    const last = 'before'
    const rests = { seen: pasted, last: theirs }
    expect(step({ last }, { ...ours, last }, rests, { ...rests, after: QUIET_MS })).toBe('paste')
    const gone = { seen: entered, last: theirs }
    const till = [{ last: theirs }, { ...ours, last: theirs }, gone] as const
    expect(step(...till, { ...gone, after: UNSENT_MS })).toBe('paste')
  },
)

test('what was pasted and is not to be seen is neither pasted again nor sent', () => {
  expect(step({}, { seen: pasted })).toEqual({ kind: 'being_typed' })
  expect(step({}, { seen: pasted }, { seen: pasted, after: DRAWN_MS })).toEqual({ kind: 'not_drawn' })
})

test('what was never to be seen is taken out after a while, in case it comes late, and pasted again', () => {
  const lost = { seen: pasted }
  expect(step({}, lost, { ...lost, after: UNSENT_MS })).toBe('clear')
  const cleared = { seen: { ...pasted, cleared: 'i1' } }
  expect(step({}, lost, cleared, { ...cleared, after: UNSENT_MS })).toBe('paste')
  // After a restart nobody knows what it showed before.
  expect(step(lost, { ...lost, after: UNSENT_MS })).toEqual({ kind: 'not_drawn' })
})

test('the next daemon knows by the note in the pane that nothing was said since the paste', () => {
  const lost = { seen: { ...pasted, note: nameOfShown('before') }, last: 'before' }
  expect(step(lost, { ...lost, after: UNSENT_MS })).toBe('clear')
  const other = { ...lost, last: 'something of theirs' }
  expect(step(other, { ...other, after: UNSENT_MS })).toEqual({ kind: 'not_drawn' })
  // Somebody may have sent it: it looks like the one before.
  const same = { seen: { ...pasted, note: nameOfShown(TEXT) }, last: TEXT }
  expect(step(same, { ...same, after: UNSENT_MS })).toEqual({ kind: 'not_drawn' })
})

test('what was sent is never sent again, also when nobody knows what the screen showed before', () => {
  expect(step({ seen: entered, read: drafted(TEXT) })).toBe('said')
  expect(step({ seen: entered }, { seen: entered, after: UNSENT_MS })).toBe('said')
})

test('what was sent and came to nothing is pasted again: the prompt before it is still the last one', () => {
  const last = 'before'
  const gone = { seen: entered, last }
  const till = [{ last }, { ...ours, last }, gone] as const
  expect(step(...till)).toBe('said')
  expect(step(...till, { ...gone, after: UNSENT_MS })).toBe('paste')
  const same = { ...gone, last: TEXT }
  expect(step({ last: TEXT }, { ...ours, last: TEXT }, same, { ...same, after: UNSENT_MS })).toBe('said')
})

/** Writes down what it was told to do. */
function keyboard(answer: Typed = 'done') {
  const typed: unknown[] = []
  const note =
    (what: string) =>
    async (_task: string, _mark: string, tag: string, ...rest: unknown[]): Promise<Typed> => {
      typed.push([what, tag, ...rest])
      return answer
    }
  return { typed, paste: note('paste'), press: note('press'), clear: note('clear') }
}

const type = (terminal: ReturnType<typeof keyboard>, ...sights: Sight[]) =>
  typePrompt({ number: 1, text: TEXT }, { task: 'n', mark: 'm' }, looks(...sights), {
    terminal,
    clear: () => ['C-u'],
    quietMs: QUIET_MS,
    beforeEnter: async () => terminal.typed.push(['stored']),
  })

test('everything is typed only if the pane still is as it was seen', async () => {
  const keys = keyboard()
  const seen = { stir: '7.0', cursor: { x: 4, y: 2 } }
  const maimed = { seen: pasted, read: drafted('do it, all') }
  expect(await type(keys, {})).toEqual({ kind: 'being_typed' })
  expect(await type(keys, {}, ours, ours)).toBe('said')
  await type(keys, {}, ours, maimed, { ...maimed, after: QUIET_MS })
  await type(
    keys,
    {},
    { seen: { pasted: 'i1', cleared: 'i1' } },
    { seen: { pasted: 'i1', cleared: 'i1' }, after: DRAWN_MS },
  )
  expect(keys.typed).toEqual([
    ['paste', 'i1', TEXT, { ...seen, note: 'none' }],
    ['stored'],
    ['press', 'i1', ['Enter'], seen],
    ['clear', 'i1', ['C-u'], seen],
    ['paste', 'i1-2', TEXT, { ...seen, note: 'none' }],
  ])
})

test('an Enter that was refused is tried again; one that was pressed before is not', async () => {
  expect(await type(keyboard('refused'), {}, ours, ours)).toEqual({ kind: 'being_typed' })
  expect(await type(keyboard('already'), {}, ours, ours)).toBe('said')
})

test('a prompt of ours that was given back is taken out, once, when nobody types; then the next is pasted', () => {
  const back = { read: drafted('an earlier one'), isGivenBack: true }
  expect(step(back)).toBe('take_back')
  expect(step({ ...back, seen: { keyAgeMs: 10 } })).toMatchObject({ kind: 'person_types' })
  expect(step({ ...back, seen: { cleared: 'g1' } })).toMatchObject({ kind: 'draft' })
  expect(step({ ...back, isGivenBack: false })).toMatchObject({ kind: 'draft' })
  const taken = { seen: { cleared: 'g1' } }
  expect(step(back, taken, { ...taken, after: QUIET_MS })).toBe('paste')
})

test('a prompt that left the box by our Enter is nobody’s typing, also when the next one is already looked for', () => {
  const { box } = looks({}, ours)
  const next = { isPasted: false, drawn: null, lastPrompt: TEXT, isSaid: false, reading: idle }
  const emptied = (seen: Partial<PaneView>) =>
    boxAfter(box, { ...next, view: { ...view, ...seen } }, 2_000_000).changedAt
  expect(emptied(entered)).toBeNull()
  expect(emptied(pasted)).toBe(2_000_000)
})
