// Owns what the drill does to a task in the middle of its work. docs/recovery.md explains each row.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { exec } from '../system/processes/exec.ts'
import { isGone as isProcessGone, readStat } from '../system/processes/proc-stat.ts'
import { killProcessesBelow, type ProcessBelow, processesBelow } from '../system/processes/processes-below.ts'
import { type HeldTask, letGo, statusOf, untilResumed } from './held-task.ts'
import { holdStore } from './hold-store.ts'
import { until } from './until.ts'
import { FILES, type Trouble } from './work.ts'

/** `at`: epoch ms of the blow. `seenAt`: epoch ms when the API showed that it was noticed; when absent, the task's events say it. */
export type Struck = { readonly at: number; readonly seenAt?: number }

export type Blow = {
  readonly name: string
  readonly about: string
  /** What happens to the agent's process; with `either` both are right. */
  readonly agent: 'lives' | 'is_resumed' | 'either'
  /** What goes wrong for the agent after the hold. An agent with a model needs a scripted model for it. */
  readonly trouble?: Trouble
  readonly act: (task: HeldTask) => Promise<Struck>
}

const STORE_LOCK_MS = 10_000
const NETWORK_DOWN_MS = 1000

export const blows: readonly Blow[] = [
  {
    name: 'agent',
    about: 'kill -9 of the agent, in a tool call',
    agent: 'is_resumed',
    act: async ({ agentPid }) => ({ at: kill(agentPid) }),
  },
  {
    name: 'tool',
    about: 'kill -9 of the tool that the agent runs',
    agent: 'lives',
    act: async (task) => {
      const before = await toolsEnded(task)
      const at = kill(task.toolPid)
      return { at, seenAt: await whenSeen('the tool’s end', async () => (await toolsEnded(task)) > before) }
    },
  },
  {
    name: 'shim',
    about: 'kill -9 of the shim that keeps the agent; then the agent ends',
    agent: 'lives',
    act: async (task) => {
      kill(keeperOf(task))
      letGo(task)
      return { at: await whenSeen('the agent’s end', () => isGone(task.agentPid)) }
    },
  },
  {
    name: 'pane',
    about: 'the pane of the task closed',
    agent: 'lives',
    act: async (task) => {
      const { tmux_session } = await statusOf(task.scratch, task.id)
      const at = Date.now()
      await tmux(task, 'kill-session', '-t', `=${tmux_session}`)
      return { at, seenAt: await whenSeen('the window of the task', () => hasWindow(task)) }
    },
  },
  {
    name: 'tmux',
    about: 'kill -9 of the tmux server',
    agent: 'lives',
    act: async (task) => {
      const before = await serverPid(task)
      const at = kill(before)
      const isAnother = async () => (await serverPid(task).catch(() => before)) !== before
      return {
        at,
        seenAt: await whenSeen('the window of the task', async () => (await isAnother()) && hasWindow(task)),
      }
    },
  },
  {
    name: 'daemon',
    about: 'kill -9 of the daemon',
    agent: 'lives',
    act: async (task) => {
      const at = kill(await daemonPid(task))
      await statusOf(task.scratch, task.id)
      return { at, seenAt: Date.now() }
    },
  },
  {
    name: 'daemon-and-agent',
    about: 'kill -9 of daemon and agent at once',
    agent: 'is_resumed',
    act: async (task) => {
      const at = kill(await daemonPid(task))
      kill(task.agentPid)
      return { at }
    },
  },
  {
    name: 'store-lock',
    about: 'the store locked for 10 s; meanwhile the agent ends',
    agent: 'lives',
    act: async (task) => {
      const release = holdStore(task.scratch.home.database)
      letGo(task)
      await sleep(STORE_LOCK_MS)
      release()
      return { at: Date.now() }
    },
  },
  {
    name: 'limit',
    about: 'a usage limit of 2 s',
    agent: 'either',
    trouble: 'limit',
    act: async (task) => ({ at: letGo(task) }),
  },
  {
    name: 'network',
    about: 'the network to the model down for a while',
    agent: 'either',
    trouble: 'network',
    act: async (task) => {
      const at = letGo(task)
      await sleep(NETWORK_DOWN_MS)
      writeFileSync(join(task.scratch.project, FILES.online), '')
      return { at }
    },
  },
  {
    name: 'reboot',
    about: 'kill -9 of everything at once, as by a reboot',
    agent: 'is_resumed',
    act: async (task) => {
      const at = Date.now()
      killProcessesBelow(task.scratch.dir, isShim)
      leaveRecordOfLastBoot(task)
      const { retries } = await untilResumed(task)
      if (retries > 0) throw new Error('the reboot used up a retry')
      return { at }
    },
  },
]

function kill(pid: number): number {
  const at = Date.now()
  process.kill(pid, 'SIGKILL')
  return at
}

const whenSeen = (what: string, look: () => boolean | Promise<boolean>) =>
  until(what, async () => ((await look()) ? Date.now() : undefined))

async function toolsEnded({ scratch, id }: HeldTask): Promise<number> {
  const output = await scratch.daemon.stream('GET /api/tasks/:id/output', { id, query: {} })
  return (await text(output)).match(/^tool (done|failed): /gm)?.length ?? 0
}

/** `sh <run>/shim keep <run> …` */
function keeperOf({ scratch, run }: HeldTask): number {
  const directory = scratch.home.run(run)
  const keeper = processesBelow(scratch.dir).find(
    ({ argv }) => argv[1] === `${directory}/shim` && argv[2] === 'keep',
  )
  if (keeper === undefined) throw new Error('the shim that keeps the agent was not found')
  return keeper.pid
}
const isShim = ({ argv }: ProcessBelow) => argv[1]?.endsWith('/shim') === true

function isGone(pid: number): boolean {
  const stat = readStat(pid)
  return stat === undefined || isProcessGone(stat)
}

async function tmux({ scratch }: HeldTask, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await exec([scratch.tmux, '-S', scratch.home.tmuxSocket, ...args])
  if (code !== 0) throw new Error(`tmux ${args[0]}: ${stderr.trim()}`)
  return stdout
}

const serverPid = async (task: HeldTask) => Number(await tmux(task, 'display-message', '-p', '#{pid}'))
const hasWindow = ({ scratch, id }: HeldTask) => statusOf(scratch, id).then(({ tmux_active }) => tmux_active)
const daemonPid = ({ scratch }: HeldTask) => scratch.daemon.call('GET /api/health').then(({ pid }) => pid)

/** The exit record that a shim writes when the machine shuts down. */
function leaveRecordOfLastBoot({ scratch, run }: HeldTask): void {
  const record = { code: null, signal: 'TERM', at: Date.now(), boot_id: 'before-the-reboot' }
  writeFileSync(`${scratch.home.exits}/${run}.json`, `${JSON.stringify(record)}\n`)
}
