// Owns what a run is: one life of an agent process.
import type { RunId, TaskId } from '../names/ids.ts'
import type { FailureClass } from '../run/failure-class.ts'
import type { Heartbeat } from '../run/heartbeat.ts'
import type { RunState } from '../run/machine.ts'
import type { Way } from './go-on.ts'

/** What the agent said about how its run ended. */
export type AgentResult = { readonly ok: boolean; readonly text: string }

/** All times are epoch ms, except `liveSinceMono`. */
export type Run = {
  readonly id: RunId
  readonly taskId: TaskId
  readonly number: number
  readonly state: RunState
  readonly createdAt: number
  readonly startedAt: number | null
  /** Since when the agent's process lives, in monotonic ms of the boot `bootId`: not affected when the clock is set. */
  readonly liveSinceMono: number | null
  readonly endedAt: number | null
  readonly pid: number | null
  readonly startTicks: number | null
  readonly bootId: string | null
  readonly exitCode: number | null
  readonly exitSignal: string | null
  /** How many bytes of events.jsonl have their effects stored. Ends after a newline, or at the end of an ended run's file. */
  readonly eventsOffset: number
  /** The length of output.log in bytes that belongs to `eventsOffset`. */
  readonly outputLength: number
  /** How long the run's input file has to be, in bytes. What it lacks after a crash is written again. */
  readonly inputLength: number
  readonly unknownLines: number
  /** 1 when the run's event file was cut or deleted, and what the agent reported there is not known. */
  readonly eventsLost: 0 | 1
  /** What the agent said last. It is used as the result's text when the result itself has none. */
  readonly lastWords: string | null
  readonly result: AgentResult | null
  /** How the run began: `start` for the first run. */
  readonly how: 'start' | Way
  /** What a run that follows an earlier one was told at its start; null for nothing, and for a first run. */
  readonly told: string | null
  /** How many tool calls the agent began, as far as it reports them. */
  readonly tools: number
  /** How many tool calls and turns the agent ended. */
  readonly progress: number
  /** Why the last turn failed, judged by the agent's words. */
  readonly failure: FailureClass | null
  /** When a usage limit is over, according to the agent. */
  readonly limitedUntil: number | null
  /** 1 when the agent reported a session id that cannot be one. */
  readonly sessionRefused: 0 | 1
  /** How many times a daemon died while it handled this run. */
  readonly daemonDeaths: number
  /** Epoch ms of the agent's last heartbeat, and what it said about itself then. */
  readonly heartbeatAt: number | null
  readonly heartbeatStatus: Heartbeat['status'] | null
  /** The last things that the agent did, oldest first. */
  readonly steps: readonly RunStep[]
}

/** One thing an agent did. */
export type RunStep = {
  readonly tool: string
  readonly detail: string
  /** Null as long as the agent has not reported the end of this step. */
  readonly ok: boolean | null
  /** The file that was written to. */
  readonly file?: string
  /** The agent's own name for this call. */
  readonly call?: string
  /** Epoch ms at which its beginning and its end were read. Absent in steps that older versions stored. */
  readonly at?: number
  readonly endedAt?: number
}
