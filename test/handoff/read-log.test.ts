import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asTaskId } from '../../src/domain/names/ids.ts'
import { handoffWorld, info, NOW, openFilesOf } from './handoff-world.ts'

const MB = 1024 ** 2
const whole = async (chunks: AsyncIterable<Uint8Array>) => {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all).toString()
}

/** An ended task whose output is long enough to be packed; every byte tells where it stands. */
async function withOutput() {
  const world = handoffWorld()
  const { handoff, task } = world
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  const said = Array.from({ length: MB / 8 + 1000 }, (_, at) => `${at}`.padStart(7, '0')).join('\n')
  await handoff.appendOutput(task, 0, said)
  await handoff.log(task, [info('short')])
  const output = (offset: number) => whole(handoff.readLog(task, 'output.log', offset))
  return { ...world, said, output }
}

test('a log is read from any byte to its end, packed or not', async () => {
  const { handoff, task, originals, said, output } = await withOutput()
  const places = [0, 1, 5000, said.length - 1, said.length, said.length + 5, Number.MAX_SAFE_INTEGER]
  const read = async () => {
    const parts: string[] = []
    for (const place of places) parts.push(await output(place))
    return parts
  }
  const expected = places.map((place) => said.slice(place))
  expect(await read()).toEqual(expected)
  await handoff.archive(task, NOW)
  expect(existsSync(`${originals}/output.log`)).toBe(false)
  expect(await read()).toEqual(expected)
  expect(await whole(handoff.readLog(task, 'session.log', 0))).toContain('short')
})

test('the size of a log is known, packed or not, and is nothing for a log that is not there', async () => {
  const { handoff, task, said } = await withOutput()
  expect(await handoff.logSize(task, 'output.log')).toBe(said.length)
  await handoff.archive(task, NOW)
  expect(await handoff.logSize(task, 'output.log')).toBe(said.length)
  expect(await handoff.logSize({ ...task, id: asTaskId('another') }, 'output.log')).toBe(0)
})

test('what is added is read from where the last reading stopped', async () => {
  const { handoff, task, said, output } = await withOutput()
  expect(await output(said.length)).toBe('')
  await handoff.appendOutput(task, said.length, 'more')
  expect(await output(said.length)).toBe('more')
})

test('who reads while the task is archived gets all of it', async () => {
  const { handoff, task, said } = await withOutput()
  let read = ''
  for await (const chunk of handoff.readLog(task, 'output.log', 0)) {
    if (read === '') await handoff.archive(task, NOW)
    read += Buffer.from(chunk).toString()
  }
  expect(read).toBe(said)
})

test('who stops in the middle leaves nothing open, packed or not', async () => {
  const { handoff, task, dir } = await withOutput()
  await handoff.close(task)
  const stopEarly = async () => {
    for await (const _ of handoff.readLog(task, 'output.log', 0)) return
  }
  const before = openFilesOf({ dir })
  await stopEarly()
  expect(openFilesOf({ dir })).toBe(before)
  await handoff.archive(task, NOW)
  const packed = openFilesOf({ dir })
  await stopEarly()
  expect(openFilesOf({ dir })).toBe(packed)
})

test('a log of a task that is gone is empty', async () => {
  const { handoff, task, output } = await withOutput()
  await handoff.removeFiles(task)
  expect(await output(0)).toBe('')
})
