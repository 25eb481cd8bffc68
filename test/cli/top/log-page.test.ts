// What a session wrote, as the page of its log shows it.
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { LogTail } from '../../../src/cli/top/feed/log-tail.ts'
import { wrapCache } from '../../../src/cli/top/layout/page-layout.ts'
import { DaemonClient } from '../../../src/cli/wire/client.ts'
import { HEADER_FROM } from '../../../src/protocol/headers.ts'
import { aTaskJson } from '../../builders/task-json.ts'
import { type Asked, standInDaemon } from '../stand-in-daemon.ts'

function aTailOf(count: number): LogTail {
  const tail = new LogTail()
  for (let n = 1; n <= count; n++) tail.add(`line ${n}\n`)
  return tail
}

test('a line that comes when the page has as many as it keeps is shown, and the first one goes', () => {
  const tail = aTailOf(5_001)
  const wrap = wrapCache()
  expect(wrap(tail.lines(), 80).at(-1)).toBe('line 5001')
  tail.add('line 5002\n')
  const shown = wrap(tail.lines(), 80)
  expect(shown.at(-1)).toBe('line 5002')
  expect(shown[0]).toBe('line 3')
  expect(shown).toHaveLength(5_000)
})

test('what has not changed is not wrapped again, also when its last line is not complete', () => {
  const tail = aTailOf(3)
  tail.add('not yet')
  const wrap = wrapCache()
  expect(wrap(tail.lines(), 80)).toBe(wrap(tail.lines(), 80))
  expect(wrap(tail.lines(), 4)).toEqual(['line', '1', 'line', '2', 'line', '3', 'not', 'yet'])
})

test('of a long text only the end is asked for, shown from the beginning of a line, and gone on with at its byte', async () => {
  const asked: Record<string, string>[] = []
  let cutOff = () => {}
  const daemon = await standInDaemon({
    'GET /api/tasks/a/output': ({ path }: Asked, response: ServerResponse) => {
      asked.push(Object.fromEntries(new URL(path, 'http://x').searchParams))
      if (asked.length > 1) return void response.end('third\n')
      response.setHeader(HEADER_FROM, '9000000')
      response.write('rest of a line\nsecond\n')
      cutOff = () => response.destroy()
    },
    'GET /api/tasks/a': () => aTaskJson({ completed_at: '2025-11-18T16:00:00Z' }),
  })
  const tail = new LogTail()
  const client = () => new DaemonClient({ home: daemon.home, socket: daemon.socket, headers: {} })
  await tail.follow('a', client, () => {
    if (asked.length === 1) cutOff()
  })
  expect(tail.lines()).toEqual(['second', 'third'])
  expect(tail.isCut).toBe(true)
  expect(asked).toEqual([
    { last: String(4 * 1024 * 1024), follow: '1' },
    { from: '9000022', follow: '1' },
  ])
})
