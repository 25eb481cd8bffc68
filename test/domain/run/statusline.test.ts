import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  clockMove,
  clockProvesLife,
  statuslineGate,
  statuslineOf,
} from '../../../src/domain/run/statusline.ts'

test.each([
  ['alone', 'shop | ctx(7%) | 14:03:59', { folder: 'shop', contextPercent: 7, clock: '14:03:59' }],
  [
    'indented, with a line below',
    '❯ \n  shop | ctx(100%) | 00:00:00\n  ⏸ manual mode on\n\n',
    { clock: '00:00:00' },
  ],
  [
    'with words of the agent behind it',
    'shop | ctx(7%) | 14:03:59      2 MCP servers',
    { clock: '14:03:59' },
  ],
  [
    'of a folder with bars and blanks',
    'a | b c | ctx(7%) | 14:03:59',
    { folder: 'a | b c', clock: '14:03:59' },
  ],
  [
    'below one that the agent wrote',
    'x | ctx(1%) | 01:01:01\nshop | ctx(7%) | 14:03:59',
    { clock: '14:03:59' },
  ],
])('a statusline %s is read', (_, screen, statusline) => {
  expect(statuslineOf(screen)).toMatchObject(statusline)
})

test.each([
  ['nothing', ''],
  ['no folder', ' | ctx(7%) | 14:03:59'],
  ['no time of day', 'shop | ctx(7%) | 24:00:00'],
  ['half a time', 'shop | ctx(7%) | 14:03'],
  ['a time that goes on', 'shop | ctx(7%) | 14:03:590'],
  ['no context', 'shop | 14:03:59'],
  ['one far above the bottom', `x | ctx(1%) | 01:01:01\n${'a line\n'.repeat(6)}`],
])('a screen with %s has no statusline', (_, screen) => {
  expect(statuslineOf(screen)).toBeUndefined()
})

test.each([
  ['claude/limit--session', '23:30:04'],
  ['scripted/working--wide', '23:28:46'],
  ['codex/asking--command', undefined],
])('the recorded screen %s shows %s', (name, clock) => {
  const screen = readFileSync(`test/fixtures/screens/${name}.txt`, 'utf8')
  expect(statuslineOf(screen)?.clock).toBe(clock)
})

test.each([
  ['10:00:00', '10:01:00', 'advanced', 'just_started'],
  ['10:00:00', '10:00:00', 'unchanged', 'stuck'],
  [null, '10:00:00', 'first', 'just_started'],
  [null, null, 'absent', 'stuck'],
  ['10:00:00', null, 'absent', 'stuck'],
  ['23:59:58', '00:00:03', 'advanced', 'just_started'],
  ['02:59:59', '02:00:04', 'advanced', 'just_started'],
] as const)(
  'the clock was at %s and is at %s: %s, so what others call stuck is %s',
  (previous, current, move, word) => {
    expect(clockMove(previous, current)).toBe(move)
    expect(statuslineGate[move]).toBe(word)
    expect(clockProvesLife(previous, current)).toBe(word === 'just_started')
  },
)
