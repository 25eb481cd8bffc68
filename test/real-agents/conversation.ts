// What every model API says, in one form: what was asked, and what we answer.

/** `call` is a tool the model asked for, `tool` what came back. */
export type Turn = { readonly role: 'user' | 'assistant' | 'call' | 'tool'; readonly text: string }

/** A tool on offer. Codex puts those of an MCP server into a namespace. */
export type Tool = { readonly name: string; readonly namespace?: string; readonly freeform?: boolean }

export type Conversation = {
  readonly model: string
  readonly system: string
  readonly tools: readonly Tool[]
  readonly turns: readonly Turn[]
  readonly stream: boolean
}

/** One thing the model says: words, or the call of a tool. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: Tool; readonly input: unknown }

/** An answer that is no answer: what the API sends with a status of 400 or more. */
export type Refusal = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** One model API: how to read its requests and write its answers. */
export type Dialect = {
  read(body: Fields): Conversation
  /** Frames of a server-sent event stream; `id` is new for each answer. */
  frames(answer: Answer, model: string, id: string): readonly string[]
  whole(answer: Answer, model: string, id: string): unknown
  refuse(status: number, message: string): Refusal
  /** The account's limit is used up; it ends at `resetsAt` (Unix seconds). */
  limit(resetsAt: number): Refusal
  badKey: Refusal
}

/** What every answer is said to have cost. */
export const USAGE = { input: 100, output: 10 }

export type Fields = Readonly<Record<string, unknown>>

export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : [])

/** The text in a string, or in the parts of a content list. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .filter((text) => text !== '')
    .join('\n')
}

export const refusal = (status: number, body: unknown, headers: Record<string, string> = {}): Refusal => ({
  status,
  headers,
  body,
})
