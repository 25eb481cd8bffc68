// Disk, and what is left without an owner.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const MB = 1024 ** 2
const audits = async (world: World, kind: string) =>
  (await world.json<{ entries: AuditEntryJson[] }>(['audit', '--kind', kind])).entries

test('a session that takes too much disk is warned of once, and ended at the limit', async () => {
  const world = await startWorld({
    config: 'reconcile.interval: 100ms\ndisk.warn: 2MB\ndisk.limit: 8MB\ndisk.totalWarn: 3MB\n',
  })
  const id = await world.run('do: hang')
  const { workspace } = await world.untilStatus(id, 'RUNNING')
  const fill = (name: string, bytes: number) => writeFileSync(join(workspace, name), Buffer.alloc(bytes, 1))
  fill('some', 4 * MB)
  await waitFor('a warning', async () => (await audits(world, 'quota_warning')).length > 0)
  await waitFor('a warning of all', async () => (await audits(world, 'quota_warning_total')).length > 0)
  expect((await world.status(id)).completed_at).toBeNull()
  fill('more', 6 * MB)
  const ended = await waitFor('its end', async () => {
    const task = await world.status(id)
    return task.completed_at === null ? undefined : task
  })
  expect(ended.reason).toMatch(
    /^Disk limit: it takes [\d.]+ MB, at most 8MB are allowed; most of it is in \//,
  )
  expect(['FAILED', 'KILLED']).toContain(ended.status)
  expect(await audits(world, 'quota_warning')).toMatchObject([{ session_id: id, actor: 'holdfast' }])
  expect(await audits(world, 'quota_warning_total')).toHaveLength(1)
  expect(await world.ok(['logs', '--session', id])).toMatch(
    /\[WARN\] Disk: it takes .* of disk, more than .*; at .* it is ended/,
  )
  expect((await world.cli(['run', 'do: finish ok'])).stderr).toMatch(
    /Notice: All sessions together take .* of disk/,
  )
  const { checks } = JSON.parse((await world.cli(['doctor', '--json'])).stdout)
  expect(checks).toContainEqual(expect.objectContaining({ name: 'sessions', state: 'warn' }))
  expect(await audits(world, 'quota_exceeded')).toHaveLength(1)
})

/** A process that only its environment ties to a run. */
function stray(runId: string, world: World): number {
  const { pid } = spawn('sleep', ['300'], {
    env: { PATH: world.env.PATH!, HOLDFAST_RUN: runId },
    detached: true,
  })
  onTestFinished(() => {
    try {
      process.kill(pid!, 'SIGKILL')
    } catch {
      // It was ended.
    }
  })
  return pid!
}

test('a process of a run that is over is ended; one that is not proven ours is left alone', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 100ms\n' })
  const id = await world.run('do: finish ok')
  const { run_id: over } = await world.untilStatus(id, 'COMPLETED')
  const claimed = '0193a1b2-0000-7000-8000-00000000abcd'
  mkdirSync(join(world.home, 'runs', claimed))
  const [ours, unknown, elsewhere] = [over!, claimed, '0193a1b2-0000-7000-8000-00000000ffff'].map((run) =>
    stray(run, world),
  ) as [number, number, number]
  await waitFor('the leftover to be ended', () => !isAlive(ours))
  const found = await waitFor('the unknown one to be reported', async () => {
    const entries = await audits(world, 'orphan_found')
    return entries.length > 0 && entries
  })
  expect(found.map(({ detail }) => detail)).toEqual([
    `processes of run ${claimed}, which is not in the store`,
  ])
  expect(await audits(world, 'orphan_ended')).toMatchObject([{ session_id: id }])
  await world.killDaemon()
  await world.ok(['up'])
  const again = stray(over!, world)
  await waitFor('the second leftover to be ended', () => !isAlive(again))
  expect(await audits(world, 'orphan_found')).toHaveLength(1)
  expect(isAlive(unknown) && isAlive(elsewhere)).toBe(true)
})

test('files of a task that nobody knows are reported, and not removed', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 100ms\n' })
  await world.ok(['up'])
  const dir = join(world.home, 'tasks/20200101-000000-forgotten')
  mkdirSync(dir)
  utimesSync(dir, 0, 0)
  await waitFor('a report', async () => (await audits(world, 'orphan_found')).length > 0)
  expect((await audits(world, 'orphan_found'))[0]!.detail).toContain('20200101-000000-forgotten')
  expect(existsSync(dir)).toBe(true)
})

test('a pane of a run that nobody knows is reported, and not closed', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 100ms\n' })
  await world.ok(['up'])
  const mark = '0193a1b2-0000-7000-8000-00000000eeee'
  await world.tmux('new-session', '-d', '-s', 'hf-strange', 'sleep 300', ';', 'set', '-p', '@hf_run', mark)
  await waitFor('a report', async () => (await audits(world, 'orphan_found')).length > 0)
  expect((await audits(world, 'orphan_found'))[0]!.detail).toContain('pane hf-strange')
  expect(await world.tmux('list-sessions')).toContain('hf-strange')
})
