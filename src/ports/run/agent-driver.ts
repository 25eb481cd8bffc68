// Owns what a driver has to say of its agent: what it can do, how it starts, what its lines and screens mean.
import type { ProgramNeeds } from '../../domain/names/agent-version.ts'
import type { FailureClass } from '../../domain/run/failure-class.ts'
import type { Permission } from '../../domain/run/permission.ts'
import type { Mode } from '../../domain/task/task.ts'
import type { Drawn } from '../../domain/text/drawn-text.ts'
import type { ScreenPhase, ScreenReading, ScreenView } from './screen.ts'

export type { FailureClass } from '../../domain/run/failure-class.ts'

/** What an agent reported, in our words. One event line may report several things. */
export type AgentSays =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'said'; readonly text: string }
  /** Shown to people, but it changes nothing: a retry, a warning. */
  | {
      readonly kind: 'note'
      readonly text: string
      /** The name of an MCP server that the note reports as not started. */
      readonly missingServer?: string
    }
  | {
      readonly kind: 'tool_began'
      readonly tool: string
      readonly detail: string
      /** The file that the tool is about to change, if the agent names it. */
      readonly file?: string
      /** The agent's own id for this call, for agents whose `tool_ended` may lack the tool's name. */
      readonly call?: string
    }
  | {
      readonly kind: 'tool_ended'
      /** Empty if the agent gives only `call`. */
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
      /** An id that the answer has to repeat. Only the driver understands it. Absent if answers are typed. */
      readonly ref?: string
    }
  | { readonly kind: 'answered'; readonly answer: string }
  /** The agent has received a prompt: the one that we named `ref`, or, if `ref` is null, the one with this text. */
  | { readonly kind: 'heard'; readonly ref: string | null; readonly text: string | null }
  /** A hook or rule of the user stopped the agent from using a tool. */
  | { readonly kind: 'blocked'; readonly tool: string; readonly why: string }
  /**
   * `untilMs`: epoch ms. `resets`: the agent's words on when the limit ends, if they give no exact time; `resetTime`
   * reads them.
   */
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
      /** True: the sum of the session so far, with its earlier runs. Otherwise: this turn alone. */
      readonly cumulative?: boolean
    }
  /** How the turn ended, as the agent reports it. `failure`: why it did not end well, if the agent says why. */
  | {
      readonly kind: 'finished'
      readonly ok: boolean
      readonly text: string
      readonly failure?: FailureClass
      /** Somebody stopped the turn. */
      readonly interrupted?: true
    }
  | { readonly kind: 'unknown'; readonly line: string }

/** An MCP server whose tools the agent may call during one run. */
export type McpServer = { readonly name: string; readonly command: string; readonly args: readonly string[] }

export type LaunchRequest = {
  readonly mode: Mode
  /** The run is headless and hears prompts and answers while it works, as lines on stdin (`Lines`). */
  readonly converse: boolean
  readonly model: string | null
  /** The task's prompt, with the persona in front of it if the agent has no flag for a persona. */
  readonly prompt: string
  /** For the agent's system-prompt flag. Null when the task has no persona, or when `prompt` contains it. */
  readonly persona: string | null
  readonly dir: string
  readonly permission: Permission
  readonly extraDirs: readonly string[]
  readonly mcp: readonly McpServer[]
  /** A new UUID, for agents that let us choose the session id. */
  readonly sessionId: string
  /** The session to go on with; null to begin a new one. */
  readonly resume: string | null
  /** The directory of the plan's `files`, for arguments that name them. */
  readonly filesDir: string
  /** The file with the lines of `Lines`, for an agent that reads them by itself in a terminal run. */
  readonly inputFile: string
  /** The file for the agent's event lines. In a terminal run, hooks and extensions append to it. */
  readonly eventsFile: string
  /** The environment that the agent will get. The plan's `env` is added to it. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Reads a small text file of the user, so that the plan can keep the user's settings. Undefined when it cannot be
   * read.
   */
  readonly peek: (path: string) => string | undefined
}

/** How to start the agent. No shell is used, and the prompt is never in `argv`. */
export type LaunchPlan = {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The whole prompt; or, with `converse`, the lines that open the conversation, without any prompt. */
  readonly stdin: string
  /** Files for this run alone, such as settings; written with mode 0600 into `filesDir`. */
  readonly files: readonly { readonly name: string; readonly content: string }[]
  /** The agent's session id, if it is known before the start. */
  readonly sessionId: string | null
}

/** When an agent reports a tool call. With `as_they_begin` alone, no report proves that no call began. */
export type ToolsTold = 'as_they_begin' | 'a_moment_late' | 'when_they_end' | 'untold'

/**
 * What an agent can do; docs/agents.md lists it. A task that needs more is refused with AGENT_CANNOT before it exists.
 */
export type Abilities = {
  readonly modes: readonly Mode[]
  /** A headless run hears prompts and answers while it works: the driver has `lines`. */
  readonly converse: boolean
  /** The permissions with which the agent may stop and ask, if somebody can answer. */
  readonly asks: readonly Permission[]
  /** How the agent's TUI takes prompts, and how we learn of its turns. Null for an agent without a TUI. */
  readonly terminal: { readonly hears: 'keys' | 'lines'; readonly tells: 'events' | 'screen' } | null
  readonly model: boolean
  /** The agent has a flag for the persona. Otherwise the persona is put in front of the prompt. */
  readonly personaFlag: boolean
  readonly permissions: readonly Permission[]
  readonly extraDirs: boolean
  readonly mcp: boolean
  /** `chosen`: we make the session id before the start. `told`: the agent makes it and reports it. */
  readonly sessionId: 'chosen' | 'told'
  readonly resume: boolean
  readonly toolsTold: { readonly headless: ToolsTold; readonly terminal: ToolsTold }
}

/** Where to look for a login. `peek` reads a small text file; undefined when it cannot be read. */
export type LoginLook = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly peek: (path: string) => string | undefined
}
/** `seen`: the name of the file or variable that shows it, never its content. `fix`: how to log in. */
export type Login = { readonly state: 'yes' | 'no' | 'unknown'; readonly seen: string; readonly fix: string }

/** How to find an agent's program and judge its version. */
export type Program = {
  /** Looked for on the caller's PATH. */
  readonly name: string
  readonly versionArgs: readonly string[]
  /**
   * The oldest and newest version that our tests ran with. Null for a program that we do not know: its version is not
   * asked for.
   */
  readonly tested: readonly [oldest: string, newest: string] | null
  /** Absent when no version is known to fail. */
  readonly needs?: ProgramNeeds
  readonly install: string
  /**
   * Pure. Whether somebody is logged in, as far as files and variables show. Absent when there is no known sign of it.
   */
  readonly login?: (look: LoginLook) => Login
}

/** An answer to an agent's question. `option`: the number of the option, from 0; null for a free text. */
export type Answer = { readonly option: number | null; readonly text: string }

/** What the agent reads on stdin or from `inputFile`: complete lines, each with a newline at its end. Pure. */
export interface Lines {
  /** Null while the prompt cannot be said, because the agent's session is not known yet. */
  prompt(said: {
    readonly ref: string
    readonly text: string
    readonly session: string | null
  }): string | null
  /** Null when the agent cannot take this answer. */
  answer(
    asked: { readonly ref: string; readonly question: string; readonly options: readonly string[] },
    answer: Answer,
  ): string | null
}

/** How to use a TUI by keys, as tmux names them. Prompts are pasted and then sent by Enter. */
export interface Keys {
  /** How much of `text` is in the box. An agent may wrap a text, or show a short word in place of a long text. */
  drawn(draft: string, text: string): Drawn
  /** The prompts above the box, oldest first, as the screen shows them. */
  prompts(screen: string): readonly string[]
  /** The keys that take a draft out of the box. They do no harm in an empty box. */
  clear(draft: string): readonly string[]
  /** The keys that choose this answer in the dialog on the screen and send it. Null when that is not safe. */
  choose(asking: ScreenReading, answer: Answer): readonly string[] | null
}

/** A file in which the agent reports its state while it lives. */
export interface StatusFile {
  path(pid: number, env: Readonly<Record<string, string>>): string
  read(text: string): ScreenPhase
}

/** A file of the agent's own in which it reports, line by line, what it does in a terminal. */
export interface Transcript {
  /**
   * The path of the file; undefined while there is none. `list`: the names in a directory, none when it cannot be read.
   */
  find(
    session: string,
    env: Readonly<Record<string, string>>,
    list: (dir: string) => readonly string[],
  ): string | undefined
  /** Pure. What is kept of a line: an event that `readEvent` knows. `atMs`: epoch ms at which the line was written. */
  keep(line: string): { readonly atMs: number; readonly event: Readonly<Record<string, unknown>> } | undefined
}

/** One coding-agent CLI: how it starts, what it says, what its screen means, what it can do. */
export interface AgentDriver {
  readonly kind: string
  /** Null for an agent that comes with Holdfast. */
  readonly program: Program | null
  readonly can: Abilities
  /** A session id that does not match is refused: Holdfast does not guess which session is meant. */
  readonly sessionIdPattern: RegExp
  /** The agent's own environment variables, which are passed on from the caller's environment. */
  readonly ownEnv: readonly string[]
  launch(request: LaunchRequest): LaunchPlan
  /** Pure. A line that the driver does not know is `unknown`, never an exception. */
  readEvent(line: string): AgentSays[]
  /** Pure. Whether a line is about this session, and not about a helper of the agent. Absent when every line is. */
  isOf?(line: string, session: string): boolean
  /** Why a run failed, by its stderr. For runs that ended and did not report why. */
  readStderr(text: string): FailureClass
  /**
   * Pure. Whether a text (stderr or a result) says that the session to be resumed does not exist. Absent when no such
   * text is known.
   */
  lostSession?(text: string): boolean
  /** Pure. The phase of a screen that is not understood is `unknown`: the driver does not guess. */
  readScreen(view: ScreenView): ScreenReading
  readonly lines?: Lines
  readonly keys?: Keys
  readonly status?: StatusFile
  readonly transcript?: Transcript
}
