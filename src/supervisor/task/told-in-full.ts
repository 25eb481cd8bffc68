// Owns what an agent leaves out because it told it before: the name of a tool that ended, the words that are its result. Pure.
import type { Run, RunStep } from '../../domain/task/task.ts'
import type { AgentSays } from '../../ports/agent-driver.ts'

export type ToldBefore = {
  readonly steps: readonly RunStep[]
  /** What it said last in this turn; null when it said nothing yet. */
  readonly words: string | null
}

/** Of a run that is looked at for the first time. Words from before its last result belong to that one. */
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

/** What it said last in its turn, after these words. */
export function wordsAfter(says: readonly AgentSays[], before: string | null): string | null {
  const last = says.findLast(({ kind }) => kind === 'said' || kind === 'finished')
  if (last === undefined) return before
  return last.kind === 'said' ? last.text : null
}

type Call = { readonly tool: string; readonly call?: string | undefined }

/** Which of the open calls has ended: the one it names, else the first that bears its name. Their number when none does. */
export function openAt({ tool, call }: Call, open: readonly Call[]): number {
  const named = open.findIndex((one) => call !== undefined && one.call === call)
  const at = named >= 0 ? named : open.findIndex((one) => tool === '' || one.tool === tool)
  return at < 0 ? open.length : at
}
