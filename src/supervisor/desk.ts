// The door to the core: what other rooms may ask of it. They import only this file, and take the parts that they use.
import type { Heartbeat } from '../domain/run/heartbeat.ts'
import type { Caller } from '../domain/task/caller.ts'
import type { Task } from '../domain/task/task.ts'
import type { VerifyContract } from '../domain/verify/contract.ts'
import type { Verified } from '../ports/verifier.ts'
import { changesDesk } from './desk/look/changes.ts'
import { daemonDesk } from './desk/look/daemon.ts'
import { gatesDesk } from './desk/look/gates.ts'
import { listsDesk } from './desk/look/lists.ts'
import { lookDesk } from './desk/look/look.ts'
import { outputDesk } from './desk/look/output.ts'
import { reportDesk } from './desk/look/report.ts'
import { conversationDesk } from './desk/messages/conversation.ts'
import { noticesDesk } from './desk/messages/notices.ts'
import { outboxDesk } from './desk/messages/outbox.ts'
import { threadsDesk } from './desk/messages/threads.ts'
import { triggersDesk } from './desk/messages/triggers.ts'
import { wakesDesk } from './desk/messages/wakes.ts'
import { auditDesk } from './desk/records/audit.ts'
import { journalDesk } from './desk/records/journal.ts'
import { subscribersDesk } from './desk/records/subscribers.ts'
import { operatorsDesk } from './desk/runtimes/operators.ts'
import { runtimesDesk } from './desk/runtimes/runtimes.ts'
import { ordersDesk } from './desk/tasks/orders.ts'
import { placesDesk } from './desk/tasks/places.ts'
import { runsDesk } from './desk/tasks/runs.ts'
import { tasksDesk } from './desk/tasks/tasks.ts'
import { monitorDesk } from './desk/wait/monitor.ts'
import { waitingDesk } from './desk/wait/waiting.ts'
import { heartbeat } from './orders/heartbeat.ts'
import { checkStatus, type StatusCheck } from './orders/status-check.ts'
import type { Supervisor } from './supervisor.ts'
import { verifyDirectory, verifyNow } from './verifying/verify-now.ts'

export type { GateSeen, Parks } from './desk/look/gates.ts'
export type { ListedSeen, RowSeen } from './desk/look/lists.ts'
export type { Asked, Brief, Detail, Story } from './desk/look/look.ts'
export type { OutageSeen } from './desk/look/outage.ts'
export type { OutputEnd, ReportedChanges, Tracked as ReportedInput } from './desk/look/report.ts'
export type { Unsaid } from './desk/look/unsaid.ts'
export type { Waits } from './desk/look/waits.ts'
export type { Actor } from './desk/messages/threads.ts'
export type { Tracked } from './desk/messages/triggers.ts'
export type { MissedSeen } from './desk/records/subscribers.ts'
export type { Intervention } from './desk/runtimes/operators.ts'
export type { RuntimeSeen } from './desk/runtimes/runtimes.ts'
export type { Awaited } from './desk/wait/look-at-task.ts'
export type { JournalListener } from './kernel/journal.ts'
export type { Subscription } from './listening/durable-subscriber.ts'
export type { OrderRequest } from './orders/order-book.ts'
export type { FoundAgent } from './starting/found-agents.ts'
export type { AllowedDir } from './starting/workspaces.ts'

export type Desk = Readonly<ReturnType<typeof openDesk>>

type Env = Readonly<Record<string, string>>

/** `stopping`: once it is aborted, nobody waits for tasks any more. */
export function openDesk(
  { core, orders, subscribers }: Pick<Supervisor, 'core' | 'orders' | 'subscribers'>,
  stopping: AbortSignal,
) {
  return {
    /** Find, make and remove tasks. */
    tasks: tasksDesk(core),
    /** Give orders: kill, finish, resume, retry, takeover, handback, unpark, archive. */
    orders: ordersDesk(orders, core),
    /** Speak with a task's agent. */
    conversation: conversationDesk(orders, core),
    /** Follow what was sent to agents. */
    triggers: triggersDesk(core),
    /** See the state of a task, and what comes next. */
    look: lookDesk(core),
    lists: listsDesk(core),
    /** Read the output of a task. */
    output: outputDesk(core),
    /** Gather what a report tells of a task. */
    report: reportDesk(core),
    /** See what a task's agent changed. */
    changes: changesDesk(core),
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
    /** Readers of the journal that may miss nothing, and what they set aside. */
    subscribers: subscribersDesk(subscribers, core),
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
