// The daemon as a service, with a stand-in for systemd that does what the unit says.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environOf } from '../helpers/environ-of.ts'
import { fakeSystemd } from '../helpers/fake-systemd.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

type Status = {
  installed: string
  enabled: boolean | null
  active: boolean | null
  linger: boolean | null
  daemon_pid: number | null
  under_service: boolean | null
  todo: string[]
  did: string[]
}
const unitOf = ({ user }: { user: string }) => join(user, '.config/systemd/user/holdfast.service')

async function serviceWorld() {
  const systemd = fakeSystemd(tempDir())
  const world = await startWorld({ env: { PATH: systemd.path } })
  const service = (verb: string) => world.json<Status>(['service', verb])
  const agentPid = async (id: string) => {
    const { run_id } = await waitFor('the agent to work', async () => {
      const task = await world.status(id)
      return task.phase === 'working' ? task : undefined
    })
    return Number(readFileSync(join(world.home, 'runs', run_id!, 'pid'), 'utf8').split(/\s/)[0])
  }
  return { systemd, world, service, agentPid }
}

test('a running daemon moves under the service, and its agents notice nothing', async () => {
  const { systemd, world, service, agentPid } = await serviceWorld()
  const id = await world.run('do: wait-for go\ndo: finish ok')
  const agent = await agentPid(id)
  const before = world.daemonPid()
  const installed = await service('install')
  expect(systemd.orders()).toEqual(['daemon-reload', 'enable holdfast.service', 'restart holdfast.service'])
  expect(installed.did.at(-1)).toContain(`took over from the daemon with pid ${before}`)
  expect(installed).toMatchObject({ installed: 'current', enabled: true, active: true, under_service: true })
  expect(installed.daemon_pid).toBe(systemd.mainPid())
  expect(isAlive(agent)).toBe(true)
  expect((await world.status(id)).task_status).toBe('running')
})

test('service install twice changes nothing; without linger it says so, and doctor too', async () => {
  const { systemd, world, service } = await serviceWorld()
  await service('install')
  const pid = world.daemonPid()
  const again = await service('install')
  expect(again.daemon_pid).toBe(pid)
  expect(again.todo).toEqual([expect.stringContaining('loginctl enable-linger')])
  const row = async () => (await world.cli(['doctor'])).stdout
  expect(await row()).toMatch(/warn {2}service .*\n.*loginctl enable-linger/)
  systemd.setLinger(true)
  expect((await service('status')).todo).toEqual([])
  expect(await row()).toMatch(/ok {4}service {3}systemd: installed/)
})

test('tmux, in which agents start, is started in a scope of its own, with a clean environment', async () => {
  const { systemd, world, service } = await serviceWorld()
  await service('install')
  expect(systemd.scopes().at(-1)).toMatch(/ -- env -i .* start-server/)
  expect((await environOf(await world.tmuxPid())).join()).not.toContain('HOLDFAST_SERVICE')
})

test('a killed daemon comes back under the service, whoever needs it first', async () => {
  const { systemd, world, service } = await serviceWorld()
  await service('install')
  await world.killDaemon()
  await world.ok(['list'])
  expect(systemd.orders().at(-1)).toBe('start holdfast.service')
  expect(await service('status')).toMatchObject({ under_service: true, daemon_pid: systemd.mainPid() })
})

test('service uninstall stops the daemon and removes its file, and agents go on', async () => {
  const { systemd, world, service, agentPid } = await serviceWorld()
  await service('install')
  const id = await world.run('do: wait-for go\ndo: finish ok')
  const agent = await agentPid(id)
  const gone = await service('uninstall')
  expect(gone).toMatchObject({ installed: 'absent', daemon_pid: null })
  expect(systemd.orders().slice(-2)).toEqual(['disable --now holdfast.service', 'daemon-reload'])
  expect(existsSync(unitOf(world))).toBe(false)
  expect(isAlive(agent)).toBe(true)
  const orders = systemd.orders().length
  expect((await world.status(id)).task_status).toBe('running')
  expect(systemd.orders()).toHaveLength(orders)
  expect((await service('uninstall')).did).toEqual(['Not installed'])
})

test('without a systemd that answers, the file is written and what is left is said', async () => {
  const systemd = fakeSystemd(tempDir(), { answers: false })
  const world = await startWorld({ env: { PATH: systemd.path } })
  const { code, stdout } = await world.cli(['service', 'install'])
  expect(code).toBe(0)
  expect(stdout).toContain(`Wrote ${unitOf(world)}\n`)
  expect(stdout).toMatch(/Enabled: +unknown\n/)
  expect(stdout).toContain('Try: No systemd user manager answers here')
  await world.ok(['up'])
  expect(await world.ok(['service', 'uninstall'])).toContain(`Removed ${unitOf(world)}\n`)
})

test('an agent may look at the service, but not change it', async () => {
  const { world } = await serviceWorld()
  const env = { HOLDFAST_RUN: 'some-run' }
  for (const verb of ['install', 'uninstall'])
    expect(await world.cli(['service', verb], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NOT_ALLOWED_FOR_RUN'),
    })
  expect((await world.cli(['service', 'status'], { env })).code).toBe(0)
})
