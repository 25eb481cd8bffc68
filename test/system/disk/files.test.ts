import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openLog } from '../../../src/system/logs/logger.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

const systemError = (code: string) => Object.assign(new Error(`${code}: no`), { code })

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
