// What a prompt tells the scripted model to do: `DO:text{…}`, `DO:shell{ls}`, `DO:http{500:2}` and so on.
import type { Answer, Conversation, Tool, Turn } from './conversation.ts'

export type Directive = { readonly verb: string; readonly argument: string }

/** Codex and Claude Code put surroundings into user messages: `<environment_context>…`, `<system-reminder>…`. */
const SURROUNDINGS = /^\s*<([a-z][\w-]*)>[\s\S]*<\/\1>\s*$/
const REMINDERS = /<system-reminder>[\s\S]*?<\/system-reminder>/g

/** Braces in an argument come in pairs, two levels deep at most. */
const DIRECTIVE = /DO:([a-z]+)(?:\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\})?/g

/** What is to be done now. Several directives in one message are done one after the other, tool by tool. */
export function directiveFor({ turns, tools }: Conversation): Directive {
  if (tools.length === 0) return { verb: 'text', argument: 'Lab title' }
  const at = turns.findLastIndex(isFromUser)
  const prompt = turns[at]?.text.replace(REMINDERS, '').trim() ?? ''
  const done = turns.slice(at + 1).filter(({ role }) => role === 'tool').length
  const directives = [...prompt.matchAll(DIRECTIVE)]
  const [, verb, argument] = directives[done] ?? []
  if (verb !== undefined) return { verb, argument: argument ?? '' }
  return { verb: 'text', argument: done === 0 ? `ECHO: ${prompt}` : 'The work is done.' }
}

const isFromUser = ({ role, text }: Turn) =>
  role === 'user' && text.replace(REMINDERS, '').trim() !== '' && !SURROUNDINGS.test(text)

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

/** The answer to a directive that is answered at all. */
export function answerTo({ verb, argument }: Directive, { tools }: Conversation): Answer {
  if (verb === 'shell') return callOneOf(shells, tools, argument) ?? missing(verb, tools)
  if (verb === 'write') {
    const asCommand = `printf '${CONTENT}\\n' > '${argument}'`
    return callOneOf(writers, tools, argument) ?? callOneOf(shells, tools, asCommand) ?? missing(verb, tools)
  }
  if (verb === 'mcp')
    return call(tools, ({ name }) => name.endsWith(argument), {}) ?? missing(argument, tools)
  if (verb === 'tool') {
    const [wanted = '', input = '{}'] = splitOnce(argument, '|')
    return call(tools, ({ name }) => name === wanted, JSON.parse(input)) ?? missing(wanted, tools)
  }
  return { kind: 'text', text: argument }
}

function callOneOf(
  inputs: Readonly<Record<string, (argument: string) => unknown>>,
  tools: readonly Tool[],
  argument: string,
) {
  const tool = tools.find(({ name }) => inputs[name] !== undefined)
  return tool && ({ kind: 'call', tool, input: inputs[tool.name]!(argument) } as const)
}

function call(tools: readonly Tool[], fits: (tool: Tool) => boolean, input: unknown) {
  const tool = tools.find(fits)
  return tool && ({ kind: 'call', tool, input } as const)
}

const missing = (what: string, tools: readonly Tool[]): Answer => ({
  kind: 'text',
  text: `NO TOOL for ${what} among: ${tools.map(({ name }) => name).join(', ')}`,
})

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
