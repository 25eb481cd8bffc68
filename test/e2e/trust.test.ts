// What a project's files may do before and after a person approved them, with the built CLI and a real daemon.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { TrustFileJson } from '../../src/protocol/json/project-json.ts'
import { loadDatabaseSync } from '../../src/store/database/sqlite-library.ts'
import { startWorld } from '../helpers/world.ts'

type Listed = { project: string; files: TrustFileJson[] }

async function trustWorld() {
  const world = await startWorld()
  const put = (path: string, text: string, mode = 0o644) => {
    const file = join(world.project, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { mode })
    return file
  }
  const script = put('mend.sh', '#!/bin/sh\ncat >heard.txt\n', 0o755)
  const role = (text: string) => put('agents/mender/mender-agent.md', `---\n${text}\n---\nYou mend.\n`)
  return {
    ...world,
    put,
    role,
    settings: (more = '') =>
      put('.holdfast/config.yaml', `agents: {mend: {argv: ['${script}']}}\npane.close: false\n${more}`),
    audited: () => auditOf(world.home),
    listed: () => world.json<Listed>(['trust', '--list']),
  }
}

function auditOf(home: string): [kind: string, file: string][] {
  const database = new (loadDatabaseSync())(join(home, 'holdfast.db'))
  try {
    const rows = database
      .prepare("select kind, detail from audit where kind like 'trust%' order by rowid")
      .all()
    return rows.map((row) => [String(row.kind), String(row.detail).split(' ')[0]!])
  } finally {
    database.close()
  }
}

test('a file that changed since it was shown is not approved', async () => {
  const world = await trustWorld()
  world.settings()
  const { project, files } = await world.json<Listed>(['trust', '--list'])
  world.settings('# changed\n')
  const answer = await post(join(world.home, 'daemon.sock'), {
    dir: project,
    files: files.map(({ file, sha256 }) => ({ file, sha256 })),
  })
  expect(answer).toMatchObject({
    code: 'NOT_TRUSTED',
    message: expect.stringContaining('Nothing was approved'),
  })
  expect((await world.listed()).files).toMatchObject([{ approval: 'new' }])
  expect(await post(join(world.home, 'daemon.sock'), { dir: project, files: [] })).toMatchObject({
    code: 'INVALID_REQUEST',
  })
})

const post = (socketPath: string, body: unknown) =>
  new Promise<unknown>((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const asking = request({ socketPath, method: 'POST', path: '/api/trust', headers }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      resolve(JSON.parse(text))
    })
    asking.on('error', reject).end(JSON.stringify(body))
  })

test('an agent of the project runs once its file is approved, and no longer when it changed', async () => {
  const world = await trustWorld()
  const file = world.settings()
  const refused = await world.cli(['run', 'go', '--agent', 'mend'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(
    `${file}: it defines the agent 'mend'; the file is not approved. (NOT_TRUSTED)`,
  )
  expect(refused.stderr).toContain('`holdfast trust`')
  expect(existsSync(join(world.project, 'heard.txt'))).toBe(false)
  const shown = await world.cli(['config', 'show'])
  expect(shown.stdout).toMatch(new RegExp(`pane.close +false +${file}`))
  expect(shown.stderr).toContain('its agents (mend) are not used')
  const doctor = await world.cli(['doctor'])
  expect(doctor.stdout).toMatch(/warn +config +.*its agents \(mend\) are not used\n.*holdfast trust/)

  const approved = await world.cli(['trust', '--yes'])
  expect(approved.stderr).toContain(`  agents.mend.argv: ${world.project}/mend.sh\n`)
  expect(approved.stdout).toBe(`Approved: ${file}\n`)
  await world.untilStatus(await world.run('go', '--agent', 'mend'), 'COMPLETED')
  expect(readFileSync(join(world.project, 'heard.txt'), 'utf8')).toContain('go')
  expect((await world.cli(['config', 'show'])).stderr).toBe('')
  expect(
    (await world.json<{ agents: { kind: string }[] }>(['agents'])).agents.map(({ kind }) => kind),
  ).toContain('mend')

  world.settings('# changed\n')
  expect((await world.cli(['run', 'go', '--agent', 'mend'])).stderr).toContain(
    'changed since it was approved',
  )
  expect((await world.listed()).files).toMatchObject([{ file, approval: 'changed' }])
})

test('nothing is approved without a yes, and never from inside a run', async () => {
  const world = await trustWorld()
  const file = world.settings()
  const unasked = await world.cli(['trust'])
  expect(unasked.code).toBe(1)
  expect(unasked.stderr).toContain('(CONFIRMATION_NEEDED)')
  const env = { HOLDFAST_RUN: 'some-run' }
  for (const flags of [['--yes'], ['--list'], ['--revoke']])
    expect((await world.cli(['trust', ...flags], { env })).stderr).toContain('(NOT_ALLOWED_FOR_RUN)')
  expect(await world.listed()).toMatchObject({ project: world.project, files: [{ file, approval: 'new' }] })
  expect(existsSync(join(world.user, '.config/holdfast/trusted'))).toBe(false)
})

test('approvals are taken back, also of files that are gone', async () => {
  const world = await trustWorld()
  const [settings, role] = [world.settings(), world.role('permissions: full')]
  await world.ok(['trust', '--yes'])
  expect((await world.listed()).files.map(({ approval }) => approval)).toEqual(['approved', 'approved'])
  expect(await world.ok(['trust', '--revoke', role])).toBe(`No longer approved: ${role}\n`)
  expect(await world.ok(['trust', settings, '--yes'])).toContain('(approved)')
  expect((await world.listed()).files.map(({ approval }) => approval)).toEqual(['approved', 'new'])
  rmSync(settings)
  expect(await world.json(['trust', '--revoke'])).toEqual({ revoked: [settings] })
  expect(await world.ok(['trust', '--revoke'])).toBe('Nothing was approved there\n')
  expect(world.audited()).toEqual([
    ['trust_approved', settings],
    ['trust_approved', role],
    ['trust_revoked', role],
    ['trust_revoked', settings],
  ])
})

test('a setting that widens stops every task of the project until it is approved', async () => {
  const world = await trustWorld()
  world.put('.holdfast/config.yaml', 'run.maxDuration: none\ncreate.maxDuration: 2h\n')
  const refused = await world.cli(['run', 'do: say hello'])
  expect(refused.stderr).toMatch(
    /'create.maxDuration' allows more than your own settings \(30m .*\(NOT_TRUSTED\)/,
  )
  expect((await world.cli(['doctor'])).stdout).toMatch(/warn +config +.*create.maxDuration/)
  expect((await world.listed()).files[0]?.allows).toEqual(['create.maxDuration: 2h'])
  await world.ok(['trust', '--yes'])
  await world.untilStatus(await world.run('do: say hello'), 'COMPLETED')
})

test('a role that goes beyond what its own project allows can be approved', async () => {
  const world = await trustWorld()
  world.put('.holdfast/config.yaml', 'run.maxDuration: 5m\ncreate.maxDuration: 5m\n')
  const file = world.role('limits: {max_duration: 20m}')
  const create = ['run', 'do: say hello', '--role', 'mender', '--agent', 'scripted']
  expect((await world.cli(create)).stderr).toContain('(NOT_TRUSTED)')
  expect((await world.listed()).files).toMatchObject([{ file, allows: ['limits.max_duration: 20m'] }])
  await world.ok(['trust', '--yes'])
  await world.ok(create)
})

test('a role of the project may narrow; more needs approval or the person’s own word', async () => {
  const world = await trustWorld()
  const create = (...flags: string[]) =>
    world.cli(['run', 'do: say hello', '--role', 'mender', '--agent', 'scripted', '--json', ...flags])
  const maxSeconds = async (...flags: string[]) =>
    JSON.parse((await create(...flags)).stdout).task.metadata.max_duration_seconds
  world.role('limits: {max_duration: 10m}')
  expect(await maxSeconds()).toBe(600)
  expect(await maxSeconds('--max-duration', '1h')).toBe(3600)

  const file = world.role('permissions: full')
  expect((await create()).stdout).toMatch(/NOT_TRUSTED[\s\S]*permissions: full[\s\S]*--permissions/)
  expect((await create('--permissions', 'default')).code).toBe(0)
  expect((await world.cli(['roles'])).stderr).toContain(`${file}: not approved (permissions: full)`)
  await world.ok(['trust', '--yes'])
  expect((await create()).stdout).toContain("does not support permissions 'full', only default")
})
