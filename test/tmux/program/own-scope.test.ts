import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environOf } from '../../helpers/environ-of.ts'
import { fakeSystemd } from '../../helpers/fake-systemd.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { skippableClock, startTerminal } from '../../helpers/tmux-server.ts'

const within = (timeoutMs = 5_000) => ({ clock: skippableClock(), timeoutMs })
const namesIn = async (pid: number) => (await environOf(pid)).map((entry) => entry.split('=')[0]!)

test('asked to, the server starts in a scope of its own, which stops after the service', async () => {
  const systemd = fakeSystemd(tempDir())
  const env = { PATH: systemd.path, HOME: '/tmp', XDG_RUNTIME_DIR: '/run/of-mine', SECRET: 'x' }
  const { serverPid, terminal } = await startTerminal({ env, scopeWithin: within() })
  expect(terminal.health()).toBe('up')
  const [probe, start] = systemd.scopes()
  expect(probe).toMatch(/ -- true$/)
  expect(start).toMatch(
    /^systemd-run --user --scope .*--property=Before=holdfast\.service -- env -i .* start-server/,
  )
  expect(await namesIn(serverPid()!)).not.toContain('XDG_RUNTIME_DIR')
  expect(start).not.toContain('SECRET')
})

test('unasked, nobody is troubled for a scope', async () => {
  const systemd = fakeSystemd(tempDir())
  await startTerminal({ env: { PATH: systemd.path, HOME: '/tmp' } })
  expect(systemd.scopes()).toEqual([])
})

test('where no systemd answers, the server starts as ever', async () => {
  const systemd = fakeSystemd(tempDir(), { answers: false })
  const { terminal } = await startTerminal({
    env: { PATH: systemd.path, HOME: '/tmp' },
    scopeWithin: within(),
  })
  expect(terminal.health()).toBe('up')
})

test('a systemd that hangs keeps the server waiting only so long', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'systemd-run'), '#!/bin/sh\nexec sleep 1000\n')
  chmodSync(join(dir, 'systemd-run'), 0o755)
  const env = { PATH: `${dir}:${process.env.PATH}`, HOME: '/tmp' }
  const { terminal } = await startTerminal({ env, scopeWithin: within(100) })
  expect(terminal.health()).toBe('up')
})
