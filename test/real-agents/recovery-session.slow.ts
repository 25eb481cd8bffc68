// Each real agent between its sessions: killed before there is one, bereft of it, taken over and handed back.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONTINUATION_AFTER_HANDBACK } from '../../src/domain/task/go-on.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'
import type { AgentKind } from './agent-home.ts'
import { kindsThat } from './daemon-world.ts'
import { useLab } from './lab.ts'
import {
  agentOf,
  expectTwoSteps,
  PATIENCE_MS,
  recoveringWith,
  saidTo,
  TWO_STEPS,
  until,
  untilFirstStepTold,
  untilSession,
} from './recovery-world.ts'

const lab = useLab()
const kinds = kindsThat(() => true)

/** Where each keeps its transcripts. */
const TRANSCRIPTS: Record<AgentKind, string> = {
  claude: '.claude/projects',
  codex: '.codex/sessions',
  opencode: '.local/share/opencode',
  pi: '.pi/agent/sessions',
}

/** A transcript is written a little late, and one that is written after it was deleted is there again. */
async function untilNoted(kind: AgentKind): Promise<void> {
  const dir = join(lab.home, TRANSCRIPTS[kind])
  const sizes = () =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .map((name) => `${name} ${statSync(join(dir, name)).size}`)
      .join('\n')
  let last = { text: '', at: performance.now() }
  await waitFor(
    'its transcript to rest',
    () => {
      const text = existsSync(dir) ? sizes() : ''
      if (text !== last.text) last = { text, at: performance.now() }
      return text !== '' && performance.now() - last.at > 500
    },
    PATIENCE_MS,
  )
}

/** To us, or to its model: OpenCode tells us nothing before. Not by the CLI: the moment would be over. */
const atFirstWord = (world: World) =>
  waitFor(
    'its first word',
    () => {
      const runs = join(world.home, 'runs')
      const run = existsSync(runs) ? readdirSync(runs).find((name) => !name.startsWith('.')) : undefined
      const [events, pid] = ['events.jsonl', 'pid'].map((file) => join(runs, run ?? 'none', file))
      if (!existsSync(events!) || !existsSync(pid!)) return undefined
      const hasSpoken = statSync(events!).size > 0 || lab.requests().length > 0
      return hasSpoken && Number(readFileSync(pid!, 'utf8').split(' ')[0])
    },
    PATIENCE_MS,
  )

test.each(kinds)('%s, killed at its first word, hears its prompt all the same, and once', async (kind) => {
  const { world, run } = await recoveringWith(kind, lab)
  lab.answer({ verb: 'hang', argument: '' })
  const running = run('DO:write{made.txt} from the first word on', 'full')
  process.kill(await atFirstWord(world), 'SIGKILL')
  lab.answer(null)
  const id = await running
  await until(world, id, 'it is done', ({ status }) => status === 'COMPLETED')
  expect(existsSync(join(lab.project, 'made.txt'))).toBe(true)
  expect(saidTo(lab, 'from the first word on')).toBe(1)
})

/** Waits the first time, and is quick the next. */
const ONCE_SLOW =
  'DO:shell{if [ -e begun ]; then echo x >> done.txt; else touch begun; tail -f /dev/null; fi} slow at first'

const conversing = kindsThat(({ can }) => can.converse)

test.each([
  ...kinds.map((kind) => [kind, []] as const),
  ...conversing.map((kind) => [kind, ['--converse']] as const),
])('%s %j without its transcript begins anew, told what was done', async (kind, flags) => {
  const { world, run } = await recoveringWith(kind, lab)
  const id = await run(ONCE_SLOW, 'full', ...flags)
  await waitFor('the tool', () => existsSync(join(lab.project, 'begun')), PATIENCE_MS)
  const { agent_session_id } = await untilSession(world, id)
  const { pid } = await agentOf(world, id)
  await untilNoted(kind)
  rmSync(join(lab.home, TRANSCRIPTS[kind]), { recursive: true })
  process.kill(pid, 'SIGKILL')
  await waitFor('its second try', () => existsSync(join(lab.project, 'done.txt')), PATIENCE_MS)
  const task = await until(
    world,
    id,
    'it is done',
    ({ status, phase }) => status === 'COMPLETED' || (flags.length > 0 && phase === 'idle'),
  )
  expect(task.agent_session_id).not.toBe(agent_session_id)
  expect(readFileSync(join(lab.project, 'done.txt'), 'utf8')).toBe('x\n')
  expect(saidTo(lab, 'slow at first')).toBe(1)
  expect(saidTo(lab, '[Resume Context]')).toBe(1)
})

test.each(kindsThat(({ can }) => can.modes.includes('interactive')))(
  '%s is taken over into its terminal and handed back, in one session',
  { timeout: 2 * PATIENCE_MS },
  async (kind) => {
    const { world, run } = await recoveringWith(kind, lab)
    const id = await run(TWO_STEPS, 'full')
    await untilFirstStepTold(kind, world, id, lab)
    const { agent_session_id } = await untilSession(world, id)
    await world.ok(['takeover', id])
    await until(
      world,
      id,
      'it waits in its terminal',
      ({ mode, phase }) => mode === 'interactive' && phase === 'idle',
    )
    await waitFor(
      'its screen',
      async () => (await world.ok(['screen', id])).includes('in two steps'),
      PATIENCE_MS,
    )
    await world.ok(['handback', id])
    const task = await until(world, id, 'it is done', ({ status }) => status === 'COMPLETED')
    expect(task).toMatchObject({ mode: 'headless', agent_session_id })
    expectTwoSteps(lab)
    expect(saidTo(lab, 'in two steps')).toBe(1)
    expect(saidTo(lab, CONTINUATION_AFTER_HANDBACK)).toBe(1)
  },
)
