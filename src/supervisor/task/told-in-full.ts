// Owns filling in what an agent leaves out because it reported it before: the name of a tool that ended, the words that
// are its result. Pure.
import type { Run, RunStep } from '../../domain/task/run.ts'
import type { AgentSays } from '../../ports/run/agent-driver.ts'

export type ToldBefore = {
  readonly steps: readonly RunStep[]
  /** What the agent said last in this turn; null when it said nothing yet. */
  readonly words: string | null
}

/** For a run that this daemon begins to watch. Once there is a result, the last words belong to the turn that it ended. */
export const wordsOf = ({ result, lastWords }: Pick<Run, 'result' | 'lastWords'>): string | null =>
  result === null ? lastWords : null

export function toldInFull(says: readonly AgentSays[], before: ToldBefore): AgentSays[] {
  const open: Call[] = before.steps.filter(({ ok }) => ok === null).map(({ tool, call }) => ({ tool, call }))
  let { words } = before
  let lastEnded = ''
  return says.map((said) => {
    switch (said.kind) {
      case 'said':
        words = said.text
        return said
      case 'tool_began':
        open.push(said)
        return said
      case 'tool_ended': {
        const begun = open.splice(openAt(said, open), 1)[0]
        lastEnded = said.tool || begun?.tool || 'a tool'
        return { ...said, tool: lastEnded }
      }
      case 'blocked':
        return said.tool === '' ? { ...said, tool: lastEnded } : said
      case 'finished': {
        const text = said.ok && said.text === '' ? (words ?? '') : said.text
        words = null
        return { ...said, text }
      }
      default:
        return said
    }
  })
}

/** What the agent said last in its turn. `before`: the same, before `says`. */
export function wordsAfter(says: readonly AgentSays[], before: string | null): string | null {
  const last = says.findLast(({ kind }) => kind === 'said' || kind === 'finished')
  if (last === undefined) return before
  return last.kind === 'said' ? last.text : null
}

type Call = { readonly tool: string; readonly call?: string | undefined }

/** The index of the call that ended: the one with its call id, else the first of its tool; `open.length` when there is none. */
export function openAt({ tool, call }: Call, open: readonly Call[]): number {
  const named = open.findIndex((one) => call !== undefined && one.call === call)
  const at = named >= 0 ? named : open.findIndex((one) => tool === '' || one.tool === tool)
  return at < 0 ? open.length : at
}
