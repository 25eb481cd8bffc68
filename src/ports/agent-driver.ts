import type { ProgramNeeds } from '../domain/names/agent-version.ts'
import type { FailureClass } from '../domain/run/failure-class.ts'
import type { Permission } from '../domain/run/permission.ts'
import type { Mode } from '../domain/task/task.ts'
import type { Drawn } from '../domain/text/drawn-text.ts'
import type { ScreenPhase, ScreenReading, ScreenView } from './screen.ts'

export type { FailureClass } from '../domain/run/failure-class.ts'

/** What an agent said, in our words. One event line may say several things. */
export type AgentSays =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'said'; readonly text: string }
  /** Worth reading, but no effect: a retry, a warning. */
  | { readonly kind: 'note'; readonly text: string }
  | {
      readonly kind: 'tool_began'
      readonly tool: string
      readonly detail: string
      /** What it is about to change, where the agent names it. */
      readonly file?: string
      /** The agent's own name for this call, where its end may not repeat the tool's. */
      readonly call?: string
    }
  | {
      readonly kind: 'tool_ended'
      /** Empty where only `call` tells. */
      readonly tool: string
      readonly ok: boolean
      readonly detail: string
      readonly file?: string
      readonly call?: string
    }
  | {
      readonly kind: 'asked'
      readonly question: string
      readonly options: readonly string[]
      /** What an answer has to name; its meaning is the driver's own. Absent where answers are typed. */
      readonly ref?: string
    }
  | { readonly kind: 'answered'; readonly answer: string }
  /** It has taken a prompt: the one we gave it as `ref`, or, where that is null, one it repeats. */
  | { readonly kind: 'heard'; readonly ref: string | null; readonly text: string | null }
  /** A hook or rule of the user's kept it from using a tool. */
  | { readonly kind: 'blocked'; readonly tool: string; readonly why: string }
  /** `resets` are its words on when the limit is over, where they name no instant: `resetTime` reads them. */
  | {
      readonly kind: 'limited'
      readonly message: string
      readonly untilMs: number | null
      readonly resets?: string
    }
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
      /** Somebody stopped it. */
      readonly interrupted?: true
    }
  | { readonly kind: 'unknown'; readonly line: string }

/** A server that an agent may call tools of, for one run. */
export type McpServer = { readonly name: string; readonly command: string; readonly args: readonly string[] }

export type LaunchRequest = {
  readonly mode: Mode
  /** Headless, but spoken to while it works: prompts and answers come as lines on stdin (`Lines`). */
  readonly converse: boolean
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
  /** Where the lines of `Lines` appear, for what reads them by itself in a terminal run. */
  readonly inputFile: string
  /** Where its event lines go. In a terminal run, hooks and extensions append to it. */
  readonly eventsFile: string
  /** What it will be started with, before the plan's own. */
  readonly env: Readonly<Record<string, string>>
  /** A small text file of the user's, to leave their settings as they are. Undefined when it cannot be read. */
  readonly peek: (path: string) => string | undefined
}

/** How to start it. Never through a shell; the prompt never in argv. */
export type LaunchPlan = {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** One prompt, whole; or, where it converses, the lines that open the conversation (no prompt among them). */
  readonly stdin: string
  /** Settings and the like for this run alone; written 0600 into `filesDir`. */
  readonly files: readonly { readonly name: string; readonly content: string }[]
  /** The agent's session id, where it is known before it starts. */
  readonly sessionId: string | null
}

/** When we learn of a tool call. Only `as_they_begin` proves, by silence, that none began. */
export type ToolsTold = 'as_they_begin' | 'a_moment_late' | 'when_they_end' | 'untold'

/** What an agent can do. What it cannot is refused with AGENT_CANNOT before a task exists, and listed in docs/agents.md. */
export type Abilities = {
  readonly modes: readonly Mode[]
  /** Headless, it can be spoken to while it works: it has `lines`. */
  readonly converse: boolean
  /** With these it may stop and ask, where somebody can answer. */
  readonly asks: readonly Permission[]
  /** How its TUI takes prompts, and how we learn of its turns; null without one. */
  readonly terminal: { readonly hears: 'keys' | 'lines'; readonly tells: 'events' | 'screen' } | null
  readonly model: boolean
  /** A flag for the persona; otherwise it stands in the prompt. */
  readonly personaFlag: boolean
  readonly permissions: readonly Permission[]
  readonly extraDirs: boolean
  readonly mcp: boolean
  /** Who makes the session id: we, before it starts, or the agent. */
  readonly sessionId: 'chosen' | 'told'
  readonly resume: boolean
  readonly toolsTold: { readonly headless: ToolsTold; readonly terminal: ToolsTold }
}

/** What a login can be seen from; `peek` gives a small text file, undefined when it cannot be read. */
export type LoginLook = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly peek: (path: string) => string | undefined
}
/** `seen` names the file or variable that tells, never what stands in it; `fix` how to log in. */
export type Login = { readonly state: 'yes' | 'no' | 'unknown'; readonly seen: string; readonly fix: string }

/** How to find it and judge its version. */
export type Program = {
  /** Looked for on the caller's PATH. */
  readonly name: string
  readonly versionArgs: readonly string[]
  /** The oldest and newest version our tests ran with. Null for a program we know nothing of: it is not asked for its version. */
  readonly tested: readonly [oldest: string, newest: string] | null
  /** Absent where nothing is known not to work. */
  readonly needs?: ProgramNeeds
  readonly install: string
  /** Pure. Whether somebody is logged in, as far as files and variables tell; absent where nothing is known. */
  readonly login?: (look: LoginLook) => Login
}

/** An answer to what it asked: the option's number from 0, or null for a text of one's own. */
export type Answer = { readonly option: number | null; readonly text: string }

/** What it reads on stdin, or from `inputFile`: complete lines, each ending with a newline. Pure. */
export interface Lines {
  /** Null while it cannot be said yet, because its session is not known. */
  prompt(said: {
    readonly ref: string
    readonly text: string
    readonly session: string | null
  }): string | null
  /** Null when this is no answer it could take. */
  answer(
    asked: { readonly ref: string; readonly question: string; readonly options: readonly string[] },
    answer: Answer,
  ): string | null
}

/** How a TUI is answered by keys, as tmux names them. Prompts are pasted, then Enter. */
export interface Keys {
  /** As this agent draws it: wrapped, or a short word in the place of a long text. */
  drawn(draft: string, text: string): Drawn
  /** The prompt that was last said, as it stands above the box. Null when none is to be seen. */
  lastPrompt(screen: string): string | null
  /** Takes a draft out of the box. Harmless where it is empty. */
  clear(draft: string): readonly string[]
  /** From the dialog as it stands on the screen to this option chosen and sent. Null when it cannot be done safely. */
  choose(asking: ScreenReading, answer: Answer): readonly string[] | null
}

/** A file in which it tells its state while it lives. */
export interface StatusFile {
  path(pid: number, env: Readonly<Record<string, string>>): string
  read(text: string): ScreenPhase
}

/** A file of its own in which it tells, line by line, what it does in a terminal. */
export interface Transcript {
  /** Undefined while there is none. `list` gives the names in a directory, none when it cannot be read. */
  find(
    session: string,
    env: Readonly<Record<string, string>>,
    list: (dir: string) => readonly string[],
  ): string | undefined
  /** Pure. What is kept of a line: fields of an event line that `readEvent` knows, and when it was written. */
  keep(line: string): { readonly atMs: number; readonly event: Readonly<Record<string, unknown>> } | undefined
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
  /** Pure. Whether a line is about this session; absent where each is. Others are helpers of the agent's own. */
  isOf?(line: string, session: string): boolean
  /** For runs that ended without a word of their own: what stderr tells. */
  readStderr(text: string): FailureClass
  /** Pure. Whether these words (of stderr, or a result) say that the session to be resumed does not exist. Absent where nobody knows. */
  lostSession?(text: string): boolean
  /** Pure. `unknown` rather than a guess. */
  readScreen(view: ScreenView): ScreenReading
  readonly lines?: Lines
  readonly keys?: Keys
  readonly status?: StatusFile
  readonly transcript?: Transcript
}
