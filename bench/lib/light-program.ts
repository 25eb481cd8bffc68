// The least that can be supervised: a shell that writes down that it is there, and sleeps. Who restarts it does not matter to it.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './until.ts'

/** All that run it share a directory, in which each is a file named by its pid. */
export function makeLightProgram(root: string, name: string) {
  const dir = join(root, name)
  const script = `${dir}.sh`
  mkdirSync(dir)
  const text = ['#!/bin/sh', `cd '${dir}'`, 'echo $$ >.$$', 'ln .$$ $$', 'exec sleep 3600', '']
  writeFileSync(script, text.join('\n'), { mode: 0o755 })
  const pids = () => readdirSync(dir).filter((file) => /^\d+$/.test(file))
  let known = new Set<string>()

  /** Those that came since the last call. */
  async function arrived(count: number): Promise<string[]> {
    const fresh = await until(
      `${count} light programs`,
      () => {
        const found = pids().filter((pid) => !known.has(pid))
        return found.length >= count && found
      },
      { withinMs: 120_000, everyMs: 10 },
    )
    known = new Set([...known, ...fresh])
    return fresh
  }
  let alive: string[] = []
  return {
    script,
    async started(count: number): Promise<void> {
      alive = await arrived(count)
    },
    /** kill -9 of all; how long until each of as many others was there, in milliseconds. */
    async killed(): Promise<number[]> {
      const from = performance.timeOrigin + performance.now()
      for (const pid of alive) process.kill(Number(pid), 'SIGKILL')
      alive = await arrived(alive.length)
      return alive.map((pid) => statSync(join(dir, pid)).ctimeMs - from)
    },
  }
}
