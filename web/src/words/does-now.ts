// Owns what an agent does just now, read from the end of its output. Pure.

/** `verb` is short, or empty: `runs`, `says`. `text` is one line. `isCode`: no sentence, but a command or part of a screen. */
export type Doing = { readonly verb: string; readonly text: string; readonly isCode: boolean }

/** As `output.log` begins its lines; what is not here is no answer to what it does. */
const VERBS: Readonly<Record<string, string>> = {
  agent: 'says',
  tool: 'runs',
  'tool done': 'ran',
  'tool failed': 'failed',
  asks: 'asks',
  answer: 'was told',
  blocked: 'may not',
  limit: 'limit',
  result: 'result',
  'result, failed': 'failed',
}
const HEAD = /^(?:\[holdfast\] |([a-z][a-z ,]{2,13}): )/

/** Null when the end of the output does not tell. `output`: whole lines. */
export function doesNow(output: string): Doing | null {
  let found: Doing | null = null
  for (const line of output.split('\n')) {
    const head = HEAD.exec(line)
    if (head === null) continue
    const text = line.slice(head[0].length).trim()
    const verb = head[1] === undefined ? '' : VERBS[head[1]]
    if (verb !== undefined && text !== '')
      found = { verb, text, isCode: head[1]?.startsWith('tool') ?? false }
  }
  return found
}
