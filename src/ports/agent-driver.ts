import type { Permission } from '../domain/permission.ts'
import type { Mode } from '../domain/task.ts'
import type { ScreenReading, ScreenView } from './screen.ts'

/** Why an agent failed: `permanent` needs a person, `transient` passes, `environment` is the machine's or network's, `crash` the agent's own. */
export type FailureClass = 'permanent' | 'transient' | 'environment' | 'limit' | 'crash'

/** What an agent said, in our words. One event line may say several things. */
export type AgentSays =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'said'; readonly text: string }
  /** Worth reading, but no effect: a retry, a warning. */
  | { readonly kind: 'note'; readonly text: string }
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
      /** The session's sum so far, earlier runs included, rather than this turn's own. */
      readonly cumulative?: boolean
    }
  /** The agent's own word on how its turn ended. `failure` when it did not end well and the agent says why. */
  | {
      readonly kind: 'finished'
      readonly ok: boolean
      readonly text: string
      readonly failure?: FailureClass
    }
  | { readonly kind: 'unknown'; readonly line: string }

/** A server that an agent may call tools of, for one run. */
export type McpServer = { readonly name: string; readonly command: string; readonly args: readonly string[] }

export type LaunchRequest = {
  readonly mode: Mode
  readonly model: string | null
  /** The task; with persona laid out in front of it when the agent has no flag for one. */
  readonly prompt: string
  /** For the agent's system-prompt flag; null when there is none, or when it stands in the prompt. */
  readonly persona: string | null
  readonly dir: string
  readonly permission: Permission
  readonly extraDirs: readonly string[]
  readonly mcp: readonly McpServer[]
  /** A fresh UUID, for agents that let us choose. */
  readonly sessionId: string
  /** Go on with this session instead of beginning one. */
  readonly resume: string | null
  /** Where the plan's files will lie, for arguments that name them. */
  readonly filesDir: string
}

/** How to start it. Never through a shell; the prompt never in argv. */
export type LaunchPlan = {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
  /** Settings and the like for this run alone; written 0600 into `filesDir`. */
  readonly files: readonly { readonly name: string; readonly content: string }[]
  /** The agent's session id, where it is known before it starts. */
  readonly sessionId: string | null
}

/** What an agent can do. What it cannot is refused with AGENT_CANNOT before a task exists, and listed in docs/agents.md. */
export type Abilities = {
  readonly modes: readonly Mode[]
  /** It can be spoken to while it works, without a terminal. */
  readonly converse: boolean
  readonly model: boolean
  /** A flag for the persona; otherwise it stands in the prompt. */
  readonly personaFlag: boolean
  readonly permissions: readonly Permission[]
  readonly extraDirs: boolean
  readonly mcp: boolean
  /** Who makes the session id: we, before it starts, or the agent. */
  readonly sessionId: 'chosen' | 'told'
  readonly resume: boolean
}

/** How to find it and judge its version. */
export type Program = {
  /** Looked for on the caller's PATH. */
  readonly name: string
  readonly versionArgs: readonly string[]
  /** The oldest and newest version our tests ran with. Null for a program we know nothing of: it is not asked for its version. */
  readonly tested: readonly [oldest: string, newest: string] | null
  readonly install: string
}

/** One coding-agent CLI: how it starts, what it says, what its screen means, what it can do. */
export interface AgentDriver {
  readonly kind: string
  /** Null for an agent that comes with Holdfast. */
  readonly program: Program | null
  readonly can: Abilities
  /** A session id that does not match is refused: stop rather than guess. */
  readonly sessionIdPattern: RegExp
  /** Environment variables of its own that a caller's environment passes on. */
  readonly ownEnv: readonly string[]
  launch(request: LaunchRequest): LaunchPlan
  /** Pure. A line it does not know is `unknown`, never an exception. */
  readEvent(line: string): AgentSays[]
  /** For runs that ended without a word of their own: what stderr tells. */
  readStderr(text: string): FailureClass
  /** Pure. `unknown` rather than a guess. */
  readScreen(view: ScreenView): ScreenReading
}
