import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const run = (...argv: string[]) => spawnSync(argv[0]!, argv.slice(1)).status === 0
const mayMount =
  process.getuid?.() === 0 &&
  run('sh', '-c', 'd=$(mktemp -d) && mount -t tmpfs none $d && umount $d && rmdir $d')
if (!mayMount)
  console.warn('disk-full: mounting a small tmpfs is not allowed here, so a full disk is not tested')

/** Fills what is left of the home's file system to the last page. */
function fill(world: World): string {
  const ballast = join(world.home, 'ballast')
  const page = Buffer.alloc(4096)
  try {
    for (;;) appendFileSync(ballast, page)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  }
  return ballast
}

test.skipIf(!mayMount)(
  'a full disk refuses new tasks without a trace, and lets running ones finish when it is free again',
  async () => {
    const world = await startWorld({ config: 'reconcile.interval: 300ms\n' })
    mkdirSync(world.home, { mode: 0o700 })
    expect(run('mount', '-t', 'tmpfs', '-o', 'size=8m,mode=0700', 'none', world.home)).toBe(true)
    onTestFinished(() => void run('umount', '-l', world.home))
    const id = await world.run('do: say before\ndo: wait-for go\ndo: say after\ndo: finish done')
    await waitFor('it to speak', async () => (await world.ok(['logs', id])).includes('before'))
    const ballast = fill(world)
    const refused = await world.cli(['run', 'do: finish no'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('DISK_FULL') })
    rmSync(ballast)
    expect(readdirSync(join(world.project, '.holdfast/sessions'))).toEqual([id])
    expect((await world.json<TaskListJson>(['list'])).tasks).toHaveLength(1)
    expect(readdirSync(join(world.home, 'tasks'))).toEqual([id])
    writeFileSync(join(world.project, 'go'), '')
    await world.untilStatus(id, 'COMPLETED')
    expect((await world.ok(['logs', id])).match(/before|after/g)).toEqual(['before', 'after'])
    await world.ok(['down'])
    expect(existsSync(join(world.home, 'drafts')) ? readdirSync(join(world.home, 'drafts')) : []).toEqual([])
  },
)
