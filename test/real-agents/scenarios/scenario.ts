// The way to one screen of one agent. It waits for words on the screen, never for a time.
import type { AgentKind } from '../agent-home.ts'

export type Step =
  /** The title stands above the screen, as its first line. */
  { readonly see: RegExp } | { readonly paste: string } | { readonly press: readonly string[] }

export type Scenario = {
  /** `<phase>--<what>`: the phase is what the agent's reader has to make of it. */
  readonly name: string
  /** 200x50 instead of 80x24. */
  readonly wide?: boolean
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Begin when the agent is ready; the last one sees what the scenario is about. */
  readonly steps: readonly Step[]
}

export type Cast = {
  readonly kind: AgentKind | 'scripted'
  /** As a person would start it. */
  readonly argv: () => readonly string[] | Promise<readonly string[]>
  readonly ready: RegExp
  readonly scenarios: readonly Scenario[]
}

export const see = (words: RegExp): Step => ({ see: words })
export const press = (...keys: readonly string[]): Step => ({ press: keys })
export const paste = (text: string): Step => ({ paste: text })

/** Sends a prompt once its beginning stands in the box. */
export const ask = (prompt: string): Step[] => [
  paste(prompt),
  see(new RegExp(escaped(prompt.slice(0, 30)))),
  press('Enter'),
]

/** So many lines that agents show a note instead. */
export const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `line ${at} of a long prompt`).join('\n')

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
