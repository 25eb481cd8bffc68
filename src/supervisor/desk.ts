// The door to the core: what other rooms may ask of it. They import only this file, and take the parts that they use.
import type { Heartbeat } from '../domain/run/heartbeat.ts'
import type { Caller } from '../domain/task/caller.ts'
import type { Task } from '../domain/task/task.ts'
import type { VerifyContract } from '../domain/verify/contract.ts'
import type { Verified } from '../ports/verifier.ts'
import { auditDesk } from './desk/audit.ts'
import { conversationDesk } from './desk/conversation.ts'
import { daemonDesk } from './desk/daemon.ts'
import { gatesDesk } from './desk/gates.ts'
import { journalDesk } from './desk/journal.ts'
import { listsDesk } from './desk/lists.ts'
import { lookDesk } from './desk/look.ts'
import { monitorDesk } from './desk/monitor.ts'
import { noticesDesk } from './desk/notices.ts'
import { operatorsDesk } from './desk/operators.ts'
import { ordersDesk } from './desk/orders.ts'
import { outboxDesk } from './desk/outbox.ts'
import { outputDesk } from './desk/output.ts'
import { placesDesk } from './desk/places.ts'
import { runsDesk } from './desk/runs.ts'
import { runtimesDesk } from './desk/runtimes.ts'
import { tasksDesk } from './desk/tasks.ts'
import { threadsDesk } from './desk/threads.ts'
import { triggersDesk } from './desk/triggers.ts'
import { waitingDesk } from './desk/waiting.ts'
import { wakesDesk } from './desk/wakes.ts'
import { heartbeat } from './orders/heartbeat.ts'
import { checkStatus, type StatusCheck } from './orders/status-check.ts'
import type { Supervisor } from './supervisor.ts'
import { verifyDirectory, verifyNow } from './verifying/verify-now.ts'

export type { GateSeen, Parks } from './desk/gates.ts'
export type { Asked, Brief, Detail, Story } from './desk/look.ts'
export type { Intervention } from './desk/operators.ts'
export type { OutageSeen } from './desk/outage.ts'
export type { RuntimeSeen } from './desk/runtimes.ts'
export type { Awaited } from './desk/standing.ts'
export type { Actor } from './desk/threads.ts'
export type { Tracked } from './desk/triggers.ts'
export type { Unsaid } from './desk/unsaid.ts'
export type { Waits } from './desk/waits.ts'
export type { JournalListener } from './kernel/journal.ts'
export type { Subscription } from './listening/durable-subscriber.ts'
export type { OrderRequest } from './orders/order-book.ts'
export type { AllowedDir } from './starting/workspaces.ts'

export type Desk = Readonly<ReturnType<typeof openDesk>>

type Env = Readonly<Record<string, string>>

/** `stopping`: once it is aborted, nobody waits for tasks any more. */
export function openDesk({ core, orders }: Pick<Supervisor, 'core' | 'orders'>, stopping: AbortSignal) {
  return {
    /** Find, make and remove tasks. */
    tasks: tasksDesk(core),
    /** Give orders: kill, finish, resume, retry, takeover, handback, unpark, archive. */
    orders: ordersDesk(orders, core),
    /** Speak with a task's agent. */
    conversation: conversationDesk(core),
    /** Follow what was sent to agents. */
    triggers: triggersDesk(core),
    /** See the state of a task, and what comes next. */
    look: lookDesk(core),
    lists: listsDesk(core),
    /** Read the output of a task. */
    output: outputDesk(core),
    /** Wait for several tasks. */
    monitor: monitorDesk(core, stopping),
    /** Wait for news of one task or of all. */
    wait: waitingDesk(core),
    /** Conversations of agents and people. */
    threads: threadsDesk(core, stopping),
    /** Wake agents because of messages. */
    wakes: wakesDesk(core),
    /** What parents are still to be told of their children. */
    outbox: outboxDesk(core),
    /** What people are still to be told by channels. */
    notices: noticesDesk(core),
    journal: journalDesk(core),
    audit: auditDesk(core),
    gates: gatesDesk(core),
    /** Standing agents: start, see, stop and remove them. */
    runtimes: runtimesDesk(core),
    /** People who type in the terminals of runtimes. */
    operators: operatorsDesk(core),
    /** Where agents may work. */
    places: placesDesk(core),
    /** Runs that ask for something themselves. */
    runs: runsDesk(core),
    /** Whether an agent is alive. */
    life: {
      check: (task: Task): Promise<StatusCheck> => checkStatus(task, core),
      /** A run may send a heartbeat only for itself. */
      heartbeat: (task: Task, from: Caller, status: Heartbeat['status']): Promise<Heartbeat> =>
        heartbeat(task, from, status, core),
    },
    /** Check work against a contract. This only reports: no task's state changes. */
    verify: {
      task: (task: Task, env: Env, signal: AbortSignal): Promise<Verified> =>
        verifyNow(task, env, core, signal),
      /** Checks work in a directory that belongs to no task. */
      directory: (contract: VerifyContract, dir: string, env: Env, signal: AbortSignal): Promise<Verified> =>
        verifyDirectory(contract, dir, env, core, signal),
    },
    /** See the state of the whole installation. */
    daemon: daemonDesk(core),
  }
}
