// The door to the core: what others may ask of it. They import this file alone, and take the parts of it that they use.

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
import { ordersDesk } from './desk/orders.ts'
import { outputDesk } from './desk/output.ts'
import { placesDesk } from './desk/places.ts'
import { runsDesk } from './desk/runs.ts'
import { tasksDesk } from './desk/tasks.ts'
import { waitingDesk } from './desk/waiting.ts'
import { heartbeat } from './orders/heartbeat.ts'
import { checkStatus, type StatusCheck } from './orders/status-check.ts'
import type { Supervisor } from './supervisor.ts'
import { verifyDirectory, verifyNow } from './verifying/verify-now.ts'

export type { GateSeen, Parks } from './desk/gates.ts'
export type { Asked, Brief, Detail, Story } from './desk/look.ts'
export type { OutageSeen } from './desk/outage.ts'
export type { Awaited } from './desk/standing.ts'
export type { Unsaid } from './desk/unsaid.ts'
export type { Waits } from './desk/waits.ts'
export type { OrderRequest } from './orders/order-book.ts'
export type { AllowedDir } from './starting/workspaces.ts'

export type Desk = Readonly<ReturnType<typeof openDesk>>

type Env = Readonly<Record<string, string>>

/** `stopping`: from then on nobody waits for tasks. */
export function openDesk({ core, orders }: Pick<Supervisor, 'core' | 'orders'>, stopping: AbortSignal) {
  return {
    /** Find, make and remove tasks. */
    tasks: tasksDesk(core),
    /** Give orders: kill, finish, resume, retry, takeover, handback, unpark, archive. */
    orders: ordersDesk(orders, core),
    /** Speak with a task's agent. */
    conversation: conversationDesk(core),
    /** See how a task stands. */
    look: lookDesk(core),
    lists: listsDesk(core),
    /** Read what a task puts out. */
    output: outputDesk(core),
    /** Wait for several tasks. */
    monitor: monitorDesk(core, stopping),
    /** Wait for news. */
    wait: waitingDesk(core),
    journal: journalDesk(core),
    audit: auditDesk(core),
    gates: gatesDesk(core),
    /** Where agents may work. */
    places: placesDesk(core),
    /** Runs that ask for something themselves. */
    runs: runsDesk(core),
    /** Whether an agent is alive. */
    life: {
      check: (task: Task): Promise<StatusCheck> => checkStatus(task, core),
      /** A run may speak for itself alone. */
      heartbeat: (task: Task, from: Caller, status: Heartbeat['status']): Heartbeat =>
        heartbeat(task, from, status, core),
    },
    /** Hold work against a contract. It tells, and moves no task. */
    verify: {
      task: (task: Task, env: Env, signal: AbortSignal): Promise<Verified> =>
        verifyNow(task, env, core, signal),
      /** Work in a directory that is no task's. */
      directory: (contract: VerifyContract, dir: string, env: Env, signal: AbortSignal): Promise<Verified> =>
        verifyDirectory(contract, dir, env, core, signal),
    },
    /** See how the whole stands. */
    daemon: daemonDesk(core),
  }
}
