// The core with a terminal in memory and a clock that the test moves: what takes minutes takes a moment. Its store and
// files are real. Agents are not: the test process stands for each of them, and the test writes down what their shims would.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { TaskId } from '../../src/domain/names/ids.ts'
import type { Config } from '../../src/domain/settings/config.ts'
import type { CreateRequest } from '../../src/supervisor/starting/create-request.ts'
import { createTask } from '../../src/supervisor/starting/create-task.ts'
import { readStat } from '../../src/system/processes/proc-stat.ts'
import { LinuxProcesses } from '../../src/system/processes/processes.ts'
import { coreWith } from './core-world.ts'
import { MemoryApart } from './memory-apart.ts'
import { MemoryTerminal } from './memory-terminal.ts'
import { settled } from './settled.ts'
import { TestClock } from './test-clock.ts'

/** The real ones, without a look at everything that runs on this machine: no agent here has a process of its own. */
class OneProcess extends LinuxProcesses {
  override carrying = async () => new Map()
  /** No agent takes any; else nothing is known of it. */
  isAtRest = false
  override cpuMs = async (ids: readonly string[]) =>
    new Map(this.isAtRest ? ids.map((id) => [id, 0] as const) : [])
  override marked = async () => new Map()

  override signal(): boolean {
    throw new Error('The test process stands for every agent: ending one is for tests with real processes.')
  }
}

/** Supervision has started, and so has the terminal. */
export async function startCoreInTime(settings: Partial<Config> = {}) {
  const clock = new TestClock()
  const terminal = new MemoryTerminal({ clock })
  const processes = new OneProcess()
  const ports = { clock, terminal, apart: new MemoryApart(), processes }
  const world = await coreWith({ maxConcurrent: 5, ...settings }, () => ports)
  const { core, home, supervisor } = world
  await terminal.start()
  await supervisor.start()
  onTestFinished(() => supervisor.stop())

  const task = async (id: TaskId) => (await core.store.task(id))!
  const runOf = async (id: TaskId) => {
    const { runId } = await task(id)
    if (runId === null) throw new Error(`${id} has no run.`)
    return runId
  }
  return {
    ...world,
    task,
    /** From now on it is seen that they take no CPU time: those who are silent as well are stuck. */
    agentsRest: () => {
      processes.isAtRest = true
    },
    async creates(prompt: string, over: Partial<CreateRequest> = {}): Promise<TaskId> {
      const { id } = await createTask({ ...world.request(prompt), ...over }, world.config, core)
      await settled()
      return id
    },
    /** Its shim writes down that the agent runs. */
    async agentStarts(id: TaskId): Promise<void> {
      const { startTicks } = readStat(process.pid)!
      const record = `${process.pid} ${startTicks} ${core.processes.bootId}\n`
      writeFileSync(`${home.run(await runOf(id))}/pid`, record)
      core.requestLook(id)
      await clock.passUntil(
        `${id} to be at work`,
        async () => (await core.store.run(await runOf(id)))?.state === 'live',
      )
    },
    /** Its shim writes down that it ended so. */
    async agentExits(id: TaskId, { code, stderr = '' }: { code: number; stderr?: string }): Promise<void> {
      const runId = await runOf(id)
      appendFileSync(`${home.run(runId)}/stderr.log`, stderr)
      mkdirSync(home.exits, { recursive: true })
      const record = { code, signal: null, at: clock.now(), boot_id: core.processes.bootId, hangup: false }
      writeFileSync(`${home.exits}/${runId}.json`, JSON.stringify(record))
      // On a busy machine the kernel tells of the file late, and no clock of a test waits for that.
      core.requestLook(id)
      await settled()
    },
  }
}

export type CoreInTime = Awaited<ReturnType<typeof startCoreInTime>>
