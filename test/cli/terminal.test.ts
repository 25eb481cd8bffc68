// What only happens on a terminal, on a real one: a pane of a private tmux server.
import { execFileSync } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aNext, aTaskJson } from '../builders/task-json.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { builtCli } from './built-cli.ts'
import { type Asked, bulk, refuse, standInDaemon } from './stand-in-daemon.ts'

const { program } = builtCli()
const ID = aTaskJson().session_id

function terminal(home: string, argv: readonly string[], { columns = 80, after = '' } = {}) {
  const socket = join(tempDir(), 's')
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOLDFAST_HOME: home, HOME: home, LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  tmux('new-session', '-d', '-x', String(columns), '-y', '24', '-s', 't', 'bash', '--norc', '-i')
  onTestFinished(() => void tmux('kill-server'))
  const quoted = [...program(), ...argv].map((word) => `'${word}'`).join(' ')
  tmux('send-keys', '-t', '=t:', `clear; ${quoted} ${after || ';'} echo "exit=$?"`, 'Enter')
  return {
    socket,
    type: (...keys: string[]) => void tmux('send-keys', '-t', '=t:', ...keys),
    until: (text: string) =>
      waitFor(`'${text}' on the screen`, () => {
        const screen = tmux('capture-pane', '-p', '-t', '=t:')
        return screen.includes(text) && screen
      }),
  }
}
const killable = () => ({
  [`GET /api/tasks/${ID}`]: () => aTaskJson(),
  'POST /api/tasks/kill': bulk({ result: { already_ended: false, task: aTaskJson() } }),
})

test('kill asks, and a yes ends the session', async () => {
  const { home, asked } = await standInDaemon(killable())
  const { type, until } = terminal(home, ['kill', ID])
  await until(`Kill session ${ID}? [y/N]:`)
  expect(asked.some(({ method }) => method === 'POST')).toBe(false)
  type('y', 'Enter')
  expect(await until('exit=0')).toContain(`Session killed: ${ID}`)
})

test('anything but a yes kills nothing', async () => {
  const { home, asked } = await standInDaemon(killable())
  const { type, until } = terminal(home, ['kill', ID])
  await until('[y/N]:')
  type('Enter')
  expect(await until('exit=0')).toContain('Nothing was killed.')
  expect(asked.some(({ method }) => method === 'POST')).toBe(false)
})

test('Ctrl-C at the question is 130', async () => {
  const { home } = await standInDaemon(killable())
  const { type, until } = terminal(home, ['kill', ID])
  await until('[y/N]:')
  type('C-c')
  await until('exit=130')
})

const claim = { file: '/p/.holdfast/config.yaml', sha256: 'a'.repeat(64), approval: 'new' }
const trustable = () => ({
  'GET /api/trust': () => ({ project: '/p', files: [{ ...claim, allows: ['agents.mend.argv: sh -c "x"'] }] }),
  'POST /api/trust': () => ({ project: '/p', files: [] }),
})

test('trust shows what a file would allow, and a yes approves just that', async () => {
  const { home, asked } = await standInDaemon(trustable())
  const { type, until } = terminal(home, ['trust'])
  const screen = await until('Approve this file? [y/N]:')
  expect(screen).toContain(`${claim.file} (not approved)\n  agents.mend.argv: sh -c "x"\n`)
  expect(asked.some(({ method }) => method === 'POST')).toBe(false)
  type('y', 'Enter')
  expect(await until('exit=0')).toContain(`Approved: ${claim.file}`)
  const { file, sha256 } = claim
  expect(asked.at(-1)?.body).toEqual({ dir: '/p', files: [{ file, sha256 }] })
})

test('anything but a yes approves nothing', async () => {
  const { home, asked } = await standInDaemon(trustable())
  const { type, until } = terminal(home, ['trust'])
  await until('[y/N]:')
  type('n', 'Enter')
  expect(await until('exit=0')).toContain('Nothing was approved.')
  expect(asked.some(({ method }) => method === 'POST')).toBe(false)
})

test('a task in a whole home directory asks before all of it is allowed', async () => {
  const tooWide = (_: Asked, response: ServerResponse) => refuse(response, 'WORKSPACE_TOO_WIDE', 409)
  const created = { task: aTaskJson(), notices: [] }
  const { home, asked } = await standInDaemon({
    'POST /api/tasks': (one, response) =>
      (one.body as { allow_wide_dir?: boolean }).allow_wide_dir ? created : tooWide(one, response),
  })
  const refused = terminal(home, ['run', 'do: something'])
  await refused.until('Allow it? [y/N]:')
  refused.type('n', 'Enter')
  await refused.until('exit=1')
  expect(asked).toHaveLength(1)
  const meant = terminal(home, ['run', 'do: something'])
  await meant.until('Allow it? [y/N]:')
  meant.type('y', 'Enter')
  expect(await meant.until('exit=0')).toContain(`Session created: ${ID}`)
})

/** Asks once, and ends when it was answered. */
function asking() {
  let finish = () => {}
  return {
    'POST /api/tasks': () => ({ task: aTaskJson(), notices: [] }),
    [`GET /api/tasks/${ID}/output`]: (_: unknown, response: ServerResponse) => {
      response.write('asks: May I? (Yes / No)\n')
      finish = () => void response.end('goes on\n')
    },
    [`POST /api/tasks/${ID}/answer`]: ({ body }: Asked) => {
      const { choice } = body as { choice: string }
      finish()
      return { session_id: ID, question: {}, answer: choice, settled: true }
    },
    [`GET /api/tasks/${ID}`]: () => aTaskJson({ status: 'COMPLETED', task_status: 'completed' }),
  }
}

test('an answer typed under `run --wait` answers', async () => {
  const { home, asked } = await standInDaemon(asking())
  const { type, until } = terminal(home, ['run', '--wait', 'do: something'])
  await until('Type your answer here')
  type('Yes', 'Enter')
  const screen = await until('exit=0')
  expect(screen).toContain('Answered: Yes')
  expect(screen).toContain('goes on')
  expect(asked.find(({ path }) => path.endsWith('/answer'))?.body).toEqual({ choice: 'Yes' })
})

test('`run --wait` in the background leaves the keyboard alone', async () => {
  const { home } = await standInDaemon(asking())
  const { type, until } = terminal(home, ['run', '--wait', 'do: something'], { after: '&' })
  await until('Answer with `holdfast answer')
  type('echo still=here', 'Enter')
  await until('\nstill=here')
  type('jobs -l', 'Enter')
  expect(await until('Running')).not.toContain('Stopped')
})

test('a list never wraps in a narrow terminal', async () => {
  const totals = { total: 1, created: 0, running: 1, asking: 0, completed: 0, failed: 0, killed: 0 }
  const { home } = await standInDaemon({ 'GET /api/tasks/rows': () => ({ rows: [aTaskJson()], totals }) })
  const screen = await terminal(home, ['list'], { columns: 50 }).until('exit=0')
  const [head, row, blank] = screen.split('\n')
  expect(head).toMatch(/^SESSION ID .* STATUS/)
  expect(row).toMatch(/^20251118-153042-grafana/)
  expect(blank).toBe('')
})

test('attach says why it cannot', async () => {
  const { home } = await standInDaemon({
    'GET /api/tasks/done': () => aTaskJson({ status: 'COMPLETED', completed_at: '2025-11-18T16:00:00Z' }),
    'GET /api/tasks/blind': () => aTaskJson({ tmux_active: false }),
    'GET /api/tasks/down': () =>
      aTaskJson({
        tmux_active: false,
        phase: 'stuck',
        next: aNext({ kind: 'awaits_answer', what: 'waits for your answer' }),
      }),
  })
  expect(await terminal(home, ['attach', 'done']).until('exit=1')).toContain(
    'Session not active (status: COMPLETED)',
  )
  expect(await terminal(home, ['attach', 'blind']).until('exit=2')).toContain('has no terminal now')
  const down = await terminal(home, ['attach', 'down'], { columns: 150 }).until('exit=1')
  expect(down).toMatch(/has no terminal now\. Next: waits for your answer: `holdfast answer /)
  expect(down).not.toContain('holdfast up')
})

test('attach enters the pane, also from inside tmux, and comes back on detach', async () => {
  const server = join(tempDir(), 's')
  const tmux = (...args: string[]) => execFileSync('tmux', ['-S', server, '-f', '/dev/null', ...args])
  tmux('new-session', '-d', '-s', 'hf-x', 'echo inside the agent; exec sleep 100')
  onTestFinished(() => void tmux('kill-server'))
  const { home } = await standInDaemon({
    [`GET /api/tasks/${ID}`]: () => aTaskJson({ tmux_session: 'hf-x' }),
    'GET /api/health': () => ({ tmux_socket: server }),
    'GET /api/config': () => ({ entries: [{ key: 'tmux.path', value: 'tmux' }], files: [] }),
  })
  const { until } = terminal(home, ['attach', ID])
  await until('inside the agent')
  tmux('detach-client', '-s', '=hf-x')
  await until('exit=0')
})
