import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isHoldfastError } from '../../src/domain/errors.ts'
import { writeAtomically } from '../../src/system/atomic-write.ts'
import { asDiskError, diskError } from '../../src/system/disk-error.ts'
import { openLog } from '../../src/system/logger.ts'
import { tempDir } from '../helpers/temp-dir.ts'

const systemError = (code: string) => Object.assign(new Error(`${code}: no`), { code })

describe('an atomic write', () => {
  test('replaces the file with the mode asked for and leaves nothing else', async () => {
    const dir = tempDir()
    await writeAtomically(`${dir}/file`, 'one', 0o644)
    await writeAtomically(`${dir}/file`, 'two')
    expect(readFileSync(`${dir}/file`, 'utf8')).toBe('two')
    expect(statSync(`${dir}/file`).mode & 0o777).toBe(0o600)
    expect(readdirSync(dir)).toEqual(['file'])
  })

  test('of many at once, each is whole, and one is last', async () => {
    const dir = tempDir()
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000))
    await Promise.all(texts.map((text) => writeAtomically(`${dir}/file`, text)))
    expect(texts).toContain(readFileSync(`${dir}/file`, 'utf8'))
    expect(readdirSync(dir)).toEqual(['file'])
  })

  test('that fails leaves the old file and no temporary one', async () => {
    const dir = tempDir()
    mkdirSync(`${dir}/file/full`, { recursive: true })
    await expect(writeAtomically(`${dir}/file`, 'text')).rejects.toThrow()
    expect(readdirSync(dir)).toEqual(['file'])
  })
})

test.each([
  ['ENOSPC', 'DISK_FULL'],
  ['EDQUOT', 'DISK_FULL'],
  ['EACCES', 'HOME_NOT_WRITABLE'],
  ['EPERM', 'HOME_NOT_WRITABLE'],
  ['EROFS', 'HOME_NOT_WRITABLE'],
])('%s is told as %s, with the path and its cause', (code, ours) => {
  const cause = systemError(code)
  const error = diskError(cause, '/some/file')
  expect(error).toMatchObject({ code: ours, cause })
  expect(error?.message).toContain('/some/file')
})

test('other errors are left as they are', () => {
  const error = systemError('EIO')
  expect(diskError(error)).toBeUndefined()
  expect(asDiskError(error, '/')).toBe(error)
  expect(isHoldfastError(asDiskError('text', '/'))).toBe(false)
})

describe('the log', () => {
  const linesOf = (path: string) =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

  test('has one JSON object per line, whatever is told', () => {
    const path = `${tempDir()}/daemon.log`
    const log = openLog(path, { now: () => 0 })
    const round: Record<string, unknown> = {}
    round.self = round
    log.info('two\nlines', { task: 't', level: 'mine', big: 1n })
    log.error('broken', { error: new Error('why', { cause: systemError('EIO') }) })
    log.warn('round', { round })
    const at = '1970-01-01T00:00:00.000Z'
    expect(linesOf(path)).toMatchObject([
      { at, level: 'info', msg: 'two\nlines', task: 't', big: '1' },
      { at, level: 'error', error: { message: 'why', cause: { code: 'EIO' } } },
      { at, level: 'warn', msg: 'round' },
    ])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('keeps one older file when it grows too large', () => {
    const dir = tempDir()
    const log = openLog(`${dir}/daemon.log`, { mostBytes: 150 })
    for (let number = 1; number <= 7; number++) log.info('line', { number })
    expect(readdirSync(dir)).toEqual(['daemon.log', 'daemon.log.1'])
    const kept = [...linesOf(`${dir}/daemon.log.1`), ...linesOf(`${dir}/daemon.log`)].map(
      ({ number }) => number,
    )
    expect(kept.at(-1)).toBe(7)
    expect(kept).toEqual(kept.toSorted((a, b) => a - b))
    expect(kept.length).toBeLessThan(7)
  })

  test('never throws, wherever it lies', () => {
    const dir = tempDir()
    writeFileSync(`${dir}/file`, '')
    expect(() => openLog(`${dir}/file/daemon.log`).info('lost')).not.toThrow()
  })
})
