import type { Mode } from '../domain/task.ts'

/** What an agent said, in our words. One event line may say several things. */
export type AgentSays =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'tool_began'; readonly tool: string; readonly detail: string }
  | { readonly kind: 'tool_ended'; readonly tool: string; readonly ok: boolean; readonly detail: string }
  | { readonly kind: 'asked'; readonly question: string; readonly options: readonly string[] }
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'limited'; readonly message: string; readonly untilMs: number | null }
  | {
      readonly kind: 'usage'
      readonly tokensIn: number
      readonly tokensOut: number
      readonly costUsd: number
    }
  | { readonly kind: 'finished'; readonly ok: boolean; readonly text: string }
  | { readonly kind: 'unknown'; readonly line: string }

export type LaunchRequest = {
  readonly mode: Mode
  readonly model: string | null
  /** Persona and task, already laid out for an agent without a system-prompt flag. */
  readonly prompt: string
  readonly dir: string
}

/** How to start it. Never through a shell; the prompt never in argv. */
export type LaunchPlan = {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
}

/** One coding-agent CLI: how it starts, what it says, what its session ids look like. */
export interface AgentDriver {
  readonly kind: string
  /** What it can do; anything else is refused with AGENT_CANNOT before a task exists. */
  readonly can: { readonly modes: readonly Mode[]; readonly converse: boolean; readonly model: boolean }
  /** A session id that does not match is refused: stop rather than guess. */
  readonly sessionIdPattern: RegExp
  /** Environment variables of its own that a caller's environment passes on. */
  readonly ownEnv: readonly string[]
  launch(request: LaunchRequest): LaunchPlan
  /** Pure. A line it does not know is `unknown`, never an exception. */
  readEvent(line: string): AgentSays[]
}
