// What a prompt tells the scripted model to do: `DO:text{…}`, `DO:shell{ls}`, `DO:http{500:2}` and so on.
import {
  CONTINUATION,
  CONTINUATION_AFTER_COMPLETION,
  CONTINUATION_AFTER_FAILURE,
  CONTINUATION_AFTER_HANDBACK,
  CONTINUATION_AFTER_LIMIT,
  CONTINUATION_AFTER_STOP,
} from '../../src/domain/task/go-on.ts'
import type { Answer, Conversation, Tool, Turn } from './conversation.ts'

export type Directive = { readonly verb: string; readonly argument: string }

/** Codex and Claude Code put surroundings into user messages: `<environment_context>…`, `<system-reminder>…`. */
const SURROUNDINGS = /^\s*<([a-z][\w-]*)>[\s\S]*<\/\1>\s*$/
const REMINDERS = /<system-reminder>[\s\S]*?<\/system-reminder>/g

/** Claude Code's own words after Esc. */
const INTERRUPTED = /^\[Request interrupted by user/
/** Who is told to go on goes on with what it was told before. */
const GO_ON = [
  CONTINUATION,
  CONTINUATION_AFTER_COMPLETION,
  CONTINUATION_AFTER_FAILURE,
  CONTINUATION_AFTER_HANDBACK,
  CONTINUATION_AFTER_LIMIT,
  CONTINUATION_AFTER_STOP,
]

/** Holdfast's own words to who has unread messages, or started sessions. */
const WAKE = /^(?:Read unread messages for thread |There is news of )/m

/** Braces in an argument come in pairs, three levels deep at most. */
const DIRECTIVE = /DO:([a-z]+)(?:\{((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\})?/g

/**
 * What is to be done now. Several directives in one message are done one after the other, tool by tool; those that are
 * over are passed over.
 */
export function directiveFor(
  { turns, tools }: Conversation,
  isOver: (directive: Directive) => boolean = () => false,
): Directive {
  if (tools.length === 0) return { verb: 'text', argument: 'Lab title' }
  const at = turns.findLastIndex((turn) => isFromUser(turn) && !GO_ON.includes(turn.text.trim()))
  const prompt = turns[at]?.text.replace(REMINDERS, '').trim() ?? ''
  const done = turns.slice(at + 1).filter(({ role }) => role === 'tool').length
  const plan = WAKE.test(prompt) ? planOfLastWake(turns) : prompt
  const directives = directivesIn(plan).filter(
    (directive) => directive.verb !== 'woken' && !isOver(directive),
  )
  const otherwise = { verb: 'text', argument: done === 0 ? `ECHO: ${prompt}` : 'The work is done.' }
  return directives[done] ?? otherwise
}

const directivesIn = (text: string): Directive[] =>
  [...text.matchAll(DIRECTIVE)].map(([, verb = '', argument = '']) => ({ verb, argument }))

/** The first wake-up is the first `woken` that the user said, and so on. */
function planOfLastWake(turns: readonly Turn[]): string {
  const said = turns.filter(isFromUser).map(({ text }) => text)
  const wakes = said.filter((text) => WAKE.test(text)).length
  const plans = said.flatMap(directivesIn).filter(({ verb }) => verb === 'woken')
  return plans[wakes - 1]?.argument ?? ''
}

const isFromUser = ({ role, text }: Turn) =>
  role === 'user' &&
  text.replace(REMINDERS, '').trim() !== '' &&
  !SURROUNDINGS.test(text) &&
  !INTERRUPTED.test(text)

/** How each CLI's shell tool takes a command. */
const shells: Readonly<Record<string, (command: string) => unknown>> = {
  Bash: (command) => ({ command, description: 'A command of the lab' }),
  bash: (command) => ({ command, description: 'A command of the lab' }),
  exec_command: (cmd) => ({ cmd, yield_time_ms: 30_000 }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ['bash', '-c', command] }),
}

const CONTENT = 'written by the lab'

const writers: Readonly<Record<string, (path: string) => unknown>> = {
  Write: (path) => ({ file_path: path, content: `${CONTENT}\n` }),
  write: (path) => ({ filePath: path, path, content: `${CONTENT}\n` }),
  apply_patch: (path) => `*** Begin Patch\n*** Add File: ${path}\n+${CONTENT}\n*** End Patch\n`,
}

type Answering = (argument: string, tools: readonly Tool[]) => Answer

/** The verbs that end in words or a call; `slow` and the like are about the way there. */
const answers: Readonly<Record<string, Answering>> = {
  text: say,
  shell: (command, tools) => callOneOf(shells, tools, command) ?? missing('a command', tools),
  write: (path, tools) =>
    callOneOf(writers, tools, path) ??
    callOneOf(shells, tools, `printf '${CONTENT}\\n' > '${path}'`) ??
    missing('a file', tools),
  mcp: (argument, tools) => {
    const [wanted = '', input = '{}'] = splitOnce(argument, '|')
    return callIf(tools, ({ name }) => name.endsWith(wanted), JSON.parse(input)) ?? missing(wanted, tools)
  },
  tool: (argument, tools) => {
    const [wanted = '', input = '{}'] = splitOnce(argument, '|')
    return callIf(tools, ({ name }) => name === wanted, JSON.parse(input)) ?? missing(wanted, tools)
  },
  slow: (seconds) => say(`Said slowly, over ${seconds} seconds.`),
  hang: (seconds) => say(`Said after ${seconds} seconds of silence.`),
  held: () => say('Said when it was let go.'),
  dropmid: () => say('Said in one piece.'),
  http: () => say('Said after all.'),
}

export function answerTo({ verb, argument }: Directive, { tools, turns }: Conversation): Answer {
  if (verb === 'ack') return say(`ACK_TRIGGER:${lastTrigger(turns)}`)
  return answers[verb]?.(argument, tools) ?? say(`UNKNOWN DIRECTIVE: ${verb}`)
}

const lastTrigger = (turns: readonly Turn[]) =>
  /^\[BRIDGE_TRIGGER id=([^\s\]]+)/m.exec(turns.findLast(isFromUser)?.text ?? '')?.[1] ?? 'none'

function say(text: string): Answer {
  return { kind: 'text', text }
}

function callOneOf(
  inputs: Readonly<Record<string, (argument: string) => unknown>>,
  tools: readonly Tool[],
  argument: string,
) {
  const tool = tools.find(({ name }) => inputs[name] !== undefined)
  return tool && ({ kind: 'call', tool, input: inputs[tool.name]!(argument) } as const)
}

function callIf(tools: readonly Tool[], fits: (tool: Tool) => boolean, input: unknown) {
  const tool = tools.find(fits)
  return tool && ({ kind: 'call', tool, input } as const)
}

const missing = (what: string, tools: readonly Tool[]): Answer =>
  say(`NO TOOL for ${what} among: ${tools.map(({ name }) => name).join(', ')}`)

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
