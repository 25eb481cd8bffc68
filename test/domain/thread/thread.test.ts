import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { asTaskId } from '../../../src/domain/names/ids.ts'
import {
  checkMessageText,
  checkRefs,
  checkThreadTitle,
  MESSAGE_MAX_BYTES,
} from '../../../src/domain/thread/check-message.ts'
import { fingerprintOf } from '../../../src/domain/thread/fingerprint.ts'
import { checkParticipant, personNamed, taskNamed } from '../../../src/domain/thread/participant.ts'
import { mayWakeAt, RATE_WINDOW_MS } from '../../../src/domain/thread/rate-limit.ts'
import { checkThreadId, threadIdOf } from '../../../src/domain/thread/thread-id.ts'

describe('ids', () => {
  test('they are those of the uuids, in their order, and are taken back', () => {
    const uuids = Array.from({ length: 200 }, () => uuidv7())
    const ids = uuids.map(threadIdOf)
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(ids).size).toBe(200)
    for (const id of ids) expect(checkThreadId(id)).toBe(id)
    expect(threadIdOf('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('th_7ZZZZZZZZZZZZZZZZZZZZZZZZZ')
  })

  test.each(['', 'th_', 'th_01', 'TH_01JXYZ', `th_${'U'.repeat(26)}`, `th_9${'0'.repeat(25)}`, '../x'])(
    "'%s' is none",
    (text) => {
      expect(() => checkThreadId(text)).toThrow('is not the id of a thread')
    },
  )
})

describe('participants', () => {
  test('a person is the same one in every terminal', () => {
    const actors = ['ada@pts/3', 'ada', '', 'Ada L.@x', '../etc']
    const names = actors.map(personNamed)
    expect(names).toEqual(['person:ada', 'person:ada', 'person:unknown', 'person:Ada-L-', 'person:etc'])
    for (const name of names) expect(checkParticipant(name)).toBe(name)
    expect(taskNamed(asTaskId('20251118-120000-x'))).toBe('task:20251118-120000-x')
  })

  test.each(['person:ada', 'task:20251118-120000-demo', 'reviewer@shop'])('%s is one', (name) => {
    expect(checkParticipant(name)).toBe(name)
  })

  test.each(['', 'ada', 'person:', 'person:a b', 'task:x', '@shop', 'a@', 'a@b@c', 'a@../b'])(
    "'%s' is none",
    (name) => {
      expect(() => checkParticipant(name)).toThrow('is neither')
    },
  )
})

describe('what may be posted', () => {
  test('text of up to 64 KB, counted in bytes, stays as it is', () => {
    const longest = '\u00e9'.repeat(MESSAGE_MAX_BYTES / 2)
    expect(checkMessageText(longest)).toBe(longest)
    expect(() => checkMessageText(`${longest}.`)).toThrow('longer than 65536 bytes')
    expect(checkMessageText(' 😀\n\t\u001b[31m ')).toBe(' 😀\n\t\u001b[31m ')
  })

  test.each([
    ['a\0b', 'NUL'],
    ['a\ud800b', 'not valid UTF-8'],
    [' \n\t', 'empty'],
  ])('%j is refused', (text, why) => {
    expect(() => checkMessageText(text)).toThrow(why)
  })

  test('references are single lines, each once', () => {
    expect(checkRefs(['a', 'b', 'a'])).toEqual(['a', 'b'])
    for (const bad of [[''], ['a\nb'], ['x'.repeat(501)], Array.from({ length: 51 }, (_, at) => `${at}`)])
      expect(() => checkRefs(bad)).toThrow()
  })

  test('a title is one line', () => {
    expect(checkThreadTitle(' the\nlogin  page ')).toBe('the login page')
    for (const bad of ['', ' ', 'x'.repeat(201), 'a\u001bb']) expect(() => checkThreadTitle(bad)).toThrow()
  })
})

describe('the same finding', () => {
  test('differs in blanks, numbers and the order of its references at most', () => {
    const one = fingerprintOf('3 tests fail\n in  login', ['a.ts', 'b.ts'])
    expect(fingerprintOf(' 17 tests fail in login ', ['b.ts', 'a.ts'])).toBe(one)
    expect(fingerprintOf('3 tests fail in logout', ['a.ts', 'b.ts'])).not.toBe(one)
    expect(fingerprintOf('3 tests fail in login', ['a.ts'])).not.toBe(one)
  })
})

describe('how often agents may be woken', () => {
  const limits = { perThread: 2, perAgent: 3 }

  test('at once, while less were woken within a minute', () => {
    expect(mayWakeAt({ ofThread: [], ofAuthor: [] }, limits, 1000)).toBe(1000)
    expect(mayWakeAt({ ofThread: [900], ofAuthor: [900, 800] }, limits, 1000)).toBe(1000)
  })

  test('else when the oldest of those that fill the minute is a minute ago', () => {
    expect(mayWakeAt({ ofThread: [500, 900, 100], ofAuthor: [] }, limits, 1000)).toBe(500 + RATE_WINDOW_MS)
    const both = { ofThread: [100, 200], ofAuthor: [400, 300, 600] }
    expect(mayWakeAt(both, limits, 1000)).toBe(300 + RATE_WINDOW_MS)
    expect(mayWakeAt({ ofThread: [100, 200], ofAuthor: [] }, limits, 100 + RATE_WINDOW_MS)).toBe(
      100 + RATE_WINDOW_MS,
    )
  })
})
