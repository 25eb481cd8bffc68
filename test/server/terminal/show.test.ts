import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import type { Viewer } from '../../../src/ports/run/terminal-viewers.ts'
import { show } from '../../../src/server/terminal/show.ts'
import { settled } from '../../helpers/settled.ts'
import { TestClock } from '../../helpers/test-clock.ts'

const KB = 1024

/** A reader whose connection takes only what `takes` lets through. */
class Reader extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  readonly told: string[] = []
  closed: number | undefined
  answersPings = true
  #sent: (() => void)[] = []

  send(data: Uint8Array | string, done?: () => void): void {
    if (typeof data === 'string') return void this.told.push(data)
    this.bufferedAmount += data.length
    if (done !== undefined) this.#sent.push(done)
  }
  takes(): void {
    this.bufferedAmount = 0
    for (const done of this.#sent.splice(0)) done()
  }
  ping(): void {
    if (this.answersPings) this.emit('pong')
  }
  close(code: number): void {
    this.closed = code
  }
  terminate(): void {}
}

function shown() {
  const clock = new TestClock()
  const stopping = new AbortController()
  const reader = new Reader()
  const did: string[] = []
  let draw: (bytes: Uint8Array) => void = () => {}
  let gone = () => {}
  let may = true
  const viewer: Viewer = {
    size: { columns: 80, rows: 24, statusLines: 1 },
    onData: (hear) => {
      draw = hear
    },
    onSize: () => {},
    onEnd: (hear) => {
      gone = hear
    },
    type: (bytes) => void did.push(`type ${Buffer.from(bytes)}`),
    pause: () => void did.push('pause'),
    resume: () => void did.push('resume'),
    end: () => void did.push('end'),
  }
  show(viewer, reader as unknown as WebSocket, {
    clock,
    stopping: stopping.signal,
    mayStill: async () => may,
    onEnd: (bytes) => void did.push(`over ${bytes}`),
  })
  return {
    clock,
    reader,
    did,
    draws: (kilobytes: number) => draw(new Uint8Array(kilobytes * KB)),
    goes: () => gone(),
    stops: () => stopping.abort(),
    forbid: () => {
      may = false
    },
    async pass(ms: number) {
      clock.advance(ms)
      await settled()
    },
  }
}

test('a slow reader pauses the terminal, and one that reads again goes on', () => {
  const { reader, did, draws } = shown()
  draws(200)
  expect(did).toEqual(['resume'])
  draws(100)
  expect(did).toEqual(['resume', 'pause'])
  reader.takes()
  expect(did).toEqual(['resume', 'pause', 'resume'])
  expect(reader.closed).toBeUndefined()
})

test('a reader that takes nothing is cut off, and told once', async () => {
  const { reader, did, draws, pass, goes } = shown()
  draws(300)
  await pass(19_999)
  expect(reader.closed).toBeUndefined()
  await pass(1)
  goes()
  reader.emit('close', 1013)
  expect(reader.closed).toBe(1013)
  expect(did).toEqual(['resume', 'pause', 'end', 'over 0'])
  expect(reader.told.map((text) => JSON.parse(text))).toEqual([
    { type: 'size', columns: 80, rows: 24, status_lines: 1 },
    { type: 'end', why: 'slow' },
  ])
})

test('a reader that does not answer a ping is cut off; one that does stays', async () => {
  const { reader, pass } = shown()
  for (let beats = 0; beats < 5; beats += 1) await pass(15_000)
  expect(reader.closed).toBeUndefined()
  reader.answersPings = false
  await pass(15_000)
  await pass(15_000)
  expect(reader.closed).toBe(1013)
})

test('who is logged out meanwhile is cut off at the next beat', async () => {
  const { reader, did, pass, forbid } = shown()
  reader.emit('message', Buffer.from('abc'))
  forbid()
  await pass(15_000)
  expect(reader.closed).toBe(1008)
  reader.emit('message', Buffer.from('late'))
  expect(did).toEqual(['resume', 'type abc', 'end', 'over 3'])
})

test('the stop of the daemon, the end of the pane and that of the connection are told apart', () => {
  const stopped = shown()
  stopped.stops()
  expect(stopped.reader.closed).toBe(1001)
  const closed = shown()
  closed.goes()
  expect(closed.reader.closed).toBe(1000)
  const left = shown()
  left.reader.emit('close', 1006)
  left.goes()
  expect(left.did).toEqual(['resume', 'end', 'over 0'])
})
