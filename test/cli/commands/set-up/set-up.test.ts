import { execFile, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditLines } from '../../../../src/cli/commands/watch/audit.ts'
import { aTaskJson } from '../../../builders/task-json.ts'
import { tempDir } from '../../../helpers/temp-dir.ts'
import { builtCli } from '../../built-cli.ts'
import { refuse, standInDaemon } from '../../stand-in-daemon.ts'

const { run, program } = builtCli()
const health = (home: string, pid = process.pid) => ({
  version: '1.2.3',
  pid,
  home,
  tmux: 'up',
  tmux_outage: null,
  store: 'sqlite',
  stats: { running: 1, waiting_input: 1 },
})

test('roles are listed with what they are for, and a broken one with what is wrong', async () => {
  const role = {
    description: 'Looks after Grafana',
    agent: 'scripted',
    model: null,
    file: '/p/a.md',
    problem: null,
  }
  const { home, asked } = await standInDaemon({
    'GET /api/roles': () => ({
      roles: [
        { ...role, role: 'grafana' },
        { ...role, role: 'bad', problem: 'no front matter' },
        { ...role, role: 'wide', problem: 'not approved (permissions: full)', needs_trust: true },
      ],
    }),
  })
  const { code, stdout, stderr } = await run(home, ['roles'], { cwd: home })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ROLE .*\ngrafana +scripted +- +Looks after Grafana\nbad /)
  expect(stderr).toBe(
    'Warning: /p/a.md: no front matter\nWarning: /p/a.md: not approved (permissions: full): see `holdfast trust`\n',
  )
  expect(asked[0]?.path).toBe(`/api/roles?dir=${encodeURIComponent(home)}`)
})

test('a workspace is added by path and removed by slug, id or path', async () => {
  const home = tempDir()
  const workspace = {
    id: 'w1',
    slug: 'shop',
    path: join(home, 'shop'),
    added_at: '2025-11-18T15:30:42Z',
    added_by: 'me',
  }
  const { asked } = await standInDaemon(
    {
      'POST /api/workspaces': () => ({ workspace, added: true }),
      'GET /api/workspaces': () => ({ workspaces: [workspace] }),
      'DELETE /api/workspaces/w1': () => ({ removed: workspace }),
    },
    home,
  )
  const call = (...argv: string[]) => run(home, ['workspace', ...argv], { cwd: home })
  expect((await call('add', 'shop', '--slug', 'shop')).stdout).toBe(
    `Workspace added: shop (${workspace.path})\n`,
  )
  expect(asked[0]?.body).toEqual({ path: workspace.path, slug: 'shop' })
  // As it is when the name is that of another one: whoever asked for it must not take this for theirs.
  expect((await call('add', 'shop', '--slug', 'store')).stdout).toContain('Another workspace is named store')
  expect((await call('list')).stdout).toContain(workspace.path)
  for (const name of ['shop', 'w1', 'shop/'])
    expect((await call('rm', name)).stdout).toBe(`Workspace removed: shop (${workspace.path})\n`)
  expect(await call('rm', 'other')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(WORKSPACE_NOT_FOUND)'),
  })
})

test('config show tells key, value and source', async () => {
  const { home } = await standInDaemon({
    'GET /api/config': () => ({
      entries: [
        { key: 'maxConcurrent', value: 5, text: '5', source: 'default', about: '' },
        { key: 'agent', value: 'scripted', text: 'scripted', source: '/p/.holdfast/config.yaml', about: '' },
      ],
      files: [],
      notes: ['its agents are not used'],
    }),
  })
  const { stdout, stderr } = await run(home, ['config', 'show'])
  expect(stderr).toBe('Notice: its agents are not used; see `holdfast trust`\n')
  expect(stdout).toMatch(
    /KEY +VALUE +SOURCE\nmaxConcurrent +5 +default\nagent +scripted +\/p\/.holdfast\/config.yaml/,
  )
})

test('up finds a running daemon; down asks it to stop and waits until its process is gone', async () => {
  const home = tempDir()
  const daemon = await standInDaemon({ 'GET /api/health': () => health(home) }, home)
  expect((await run(home, ['up'])).stdout).toBe(
    `Daemon is running: pid ${process.pid}, version 1.2.3, home ${home}\n`,
  )
  await daemon.stop()
  const sleeper = spawn('sleep', ['100'])
  const stopping = () => void setTimeout(() => sleeper.kill(), 200)
  await standInDaemon(
    {
      'GET /api/health': () => health(home, sleeper.pid),
      'POST /api/shutdown': () => {
        stopping()
        return { stopping: true }
      },
    },
    home,
  )
  const { code, stdout } = await run(home, ['down'])
  expect(sleeper.signalCode).toBe('SIGTERM')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Daemon stopped: pid ${sleeper.pid}; 2 running sessions go on\n`,
  })
})

test('down without a daemon is already done', async () => {
  expect(await run(tempDir(), ['down'])).toEqual({ code: 0, stdout: 'Daemon is not running\n', stderr: '' })
})

test('doctor finds a sound system sound, without starting a daemon', async () => {
  const home = tempDir()
  const { code, stdout } = await run(home, ['doctor', '--json'])
  const { ok, checks } = JSON.parse(stdout)
  expect({ code, ok }).toEqual({ code: 0, ok: true })
  expect(checks.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['node', 'tmux', 'sh', 'setsid', 'home', 'socket', 'disk', 'daemon', 'service']),
  )
  expect(checks.find(({ name }: { name: string }) => name === 'daemon').detail).toContain('not running')
})

test('doctor fails over a missing tmux and a home that is too long, and says how to fix each', async () => {
  const bin = tempDir()
  for (const name of ['sh', 'setsid'])
    symlinkSync(execFileSync('which', [name]).toString().trim(), join(bin, name))
  const home = join(tempDir(), 'x'.repeat(100))
  const { code, stdout } = await run(home, ['doctor'], { env: { PATH: bin } })
  expect(code).toBe(1)
  expect(stdout).toMatch(/FAIL {2}tmux .*\n.*Try: apt install tmux/)
  expect(stdout).toMatch(/FAIL {2}socket .*too long.*\n.*Try: set HOLDFAST_HOME/)
})

test('doctor tells whether an agent is logged in, as far as it can tell, and never a secret', async () => {
  const [home, bin] = [tempDir(), tempDir()]
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho 2.1.325\n', { mode: 0o755 })
  const PATH = `${bin}:${process.env.PATH}`
  const without = await run(home, ['doctor'], { cwd: home, env: { PATH } })
  expect(without.code).toBe(0)
  expect(without.stdout).toMatch(
    /warn {2}claude .*not logged in \(looked at .*\.credentials\.json\)\n.*Try: run `claude` and log in/,
  )
  const env = { PATH, ANTHROPIC_API_KEY: 'sk-SECRET' }
  const { stdout } = await run(home, ['doctor'], { cwd: home, env })
  expect(stdout).toMatch(/ok {4}claude .*, logged in \(ANTHROPIC_API_KEY\)/)
  expect(stdout).not.toContain('SECRET')
  const listed = await run(home, ['agents', '--json'], { cwd: home, env })
  expect(listed.stdout).toContain('"seen": "ANTHROPIC_API_KEY"')
  expect(listed.stdout).not.toContain('SECRET')
})

test('doctor fails for a home that others can read', async () => {
  const home = join(tempDir(), 'home')
  mkdirSync(home)
  chmodSync(home, 0o755)
  const { code, stdout } = await run(home, ['doctor'])
  expect(code).toBe(1)
  expect(stdout).toMatch(/FAIL {2}private .*755/)
})

function complete(script: string, home: string, ...words: string[]): Promise<string[]> {
  const [node, cli] = program()
  const driver = `holdfast() { '${node}' '${cli}' "$@"; }
${script}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_holdfast; printf '%s\\n' "\${COMPREPLY[@]}"`
  const env = { PATH: process.env.PATH, HOLDFAST_HOME: home }
  return new Promise((resolve, reject) =>
    execFile('bash', ['-c', driver], { env }, (error, stdout) =>
      error === null ? resolve(stdout.trim().split('\n')) : reject(error),
    ),
  )
}

test('bash completes commands, options, choices, sessions, roles, workspaces, triggers and threads', async () => {
  const { home } = await standInDaemon({
    'GET /api/tasks/rows': () => ({ rows: [aTaskJson({ name: 'nightly' })], totals: null, next: null }),
    'GET /api/roles': () => ({ roles: [{ role: 'reviewer' }] }),
    'GET /api/workspaces': () => ({ workspaces: [{ slug: 'shop' }] }),
    'GET /api/triggers': () => ({ triggers: [{ trigger_id: 'trg_20251118_0001' }] }),
    'GET /api/threads': () => ({ threads: [{ thread_id: 'th_01JXYZ' }], next: null }),
  })
  const { stdout: script } = await run(home, ['completion', 'bash'])
  execFileSync('bash', ['-n'], { input: script })
  expect(await complete(script, home, 'holdfast', 'sta')).toEqual(['status'])
  expect(await complete(script, home, 'holdfast', 'run', '--no')).toEqual(['--no-queue'])
  expect(await complete(script, home, 'holdfast', 'run', '--mode', 'h')).toEqual(['headless'])
  expect(await complete(script, home, 'holdfast', 'workspace', 'a')).toEqual(['add'])
  expect(await complete(script, home, 'holdfast', '--home', home, 'kill', '2025')).toEqual([
    aTaskJson().session_id,
  ])
  expect(await complete(script, home, 'holdfast', 'status', 'ni')).toEqual(['nightly'])
  expect(await complete(script, home, 'holdfast', 'why', 'l')).toEqual(['last'])
  expect(await complete(script, home, 'holdfast', 'create', 'r')).toEqual(['reviewer'])
  expect(await complete(script, home, 'holdfast', 'run', '--role', 'r')).toEqual(['reviewer'])
  expect(await complete(script, home, 'holdfast', 'workspace', 'rm', 's')).toEqual(['shop'])
  expect(await complete(script, home, 'holdfast', 'audit', '--task', 'ni')).toEqual(['nightly'])
  for (const verb of ['show', 'force'])
    expect(await complete(script, home, 'holdfast', 'trigger', verb, 'trg')).toEqual(['trg_20251118_0001'])
  for (const verb of ['show', 'post', 'read', 'continue'])
    expect(await complete(script, home, 'holdfast', 'thread', verb, 'th_')).toEqual(['th_01JXYZ'])
  expect(await complete(script, home, 'holdfast', 'send', '--thread', 'th_')).toEqual(['th_01JXYZ'])
}, 120_000)

test.each(['zsh', 'fish'])('the %s script knows every command', async (shell) => {
  const { code, stdout } = await run(tempDir(), ['completion', shell])
  expect(code).toBe(0)
  for (const word of [
    'create',
    'workspace',
    'doctor',
    'max-duration',
    'completion ids',
    'completion roles',
    'completion workspaces',
    'completion triggers',
    'completion threads',
  ])
    expect(stdout).toContain(word)
})

test.each(['ids', 'roles', 'workspaces', 'triggers', 'threads'])(
  'completing %s without a daemon is silent and starts none',
  async (what) => {
    expect(await run(tempDir(), ['completion', what])).toEqual({ code: 0, stdout: '', stderr: '' })
  },
)

test('where nobody is told anything, `notify log` and `notify channels` say so, and when a new channel counts', async () => {
  const channel = { name: 'phone', type: 'ntfy', can_answer: false, waiting: 0, set_aside: 0 }
  const channels = [{ ...channel, last_sent_at: null, last_error: null, problem: null }]
  let set: object[] = []
  const { home } = await standInDaemon({
    'GET /api/notify/log': () => ({ notices: [] }),
    'GET /api/notify/channels': () => ({ channels: set }),
  })
  for (const which of ['log', 'channels'])
    expect((await run(home, ['notify', which])).stdout).toMatch(
      /^No channels are set up, .*\n.* counts after `holdfast down && holdfast up`\.\n$/,
    )
  set = channels
  expect((await run(home, ['notify', 'log'])).stdout).toBe('Nothing was told yet.\n')
})

test('how an agent that was not found is installed is told whole, below the table', async () => {
  const { stdout } = await run(tempDir(), ['agents'], { env: { PATH: '' } })
  expect(stdout).toMatch(/^claude +not found .* -$/m)
  expect(stdout).toMatch(/\n\nTo install one:\n {2}npm install -g @anthropic-ai\/claude-code\n/)
})

test('at 80 columns a row of the audit has its session whole', () => {
  const session_id = '20251118-153042-grafana-validator'
  const [head, row] = auditLines(
    [
      { at: '2025-11-18T15:30:42Z', kind: 'task_question_asked', session_id, actor: 'ada', detail: 'May I?' },
    ] as never,
    80,
  )
  expect(head).toMatch(/TIME .*SESSION .*WHO/)
  expect(row).toContain(`${session_id}  ada`)
  expect(row?.length).toBeLessThanOrEqual(80)
})

test('`journal drop` of something that there is not says where the names are', async () => {
  const { home } = await standInDaemon({
    'POST /api/journal/drop': (_, response) => refuse(response, 'INVALID_REQUEST', 400),
  })
  const { code, stderr } = await run(home, ['journal', 'drop', 'x'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('`holdfast journal show` names them. (USAGE)')])
})
