// Owns how a prompt becomes steps. Pure; nothing here throws, because a prompt may be any text.
import { type Step, type StepName, stepTable } from './step-table.ts'

/** A step that cannot be read is kept, and fails when its turn comes: the steps before it still happen. */
export type Unreadable = { readonly do: 'unreadable'; readonly why: string }

const DO = 'do:'

/**
 * The steps of a prompt as text, in order. Only lines that begin with `do:` count, so a prompt may be laid out
 * around them. `readFile` gives the text of a script file; without it the `script` step stays and fails later.
 */
export function scriptOf(prompt: string, readFile: (path: string) => string | undefined): string[] {
  const steps = linesOf(prompt).flatMap((line) => (line.startsWith(DO) ? [line.slice(DO.length).trim()] : []))
  return steps.flatMap((line) => {
    const step = parseStep(line)
    const file = step.do === 'script' ? readFile(step.path) : undefined
    return file === undefined ? [line] : stepsOfFile(file)
  })
}

export function parseStep(line: string): Step | Unreadable {
  const [, name = '', rest = ''] = /^(\S*)\s*(.*)$/su.exec(line.trim()) ?? []
  if (!isStepName(name)) return unreadable(`there is no step '${name}'`)
  const { takes, read } = stepTable[name]
  const found = read(rest)
  return found ? ({ do: name, ...found } as Step) : unreadable(`it is written '${`${name} ${takes}`.trim()}'`)
}

function stepsOfFile(text: string): string[] {
  return linesOf(text)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

const linesOf = (text: string) => text.split(/\r?\n/)
const isStepName = (name: string): name is StepName => Object.hasOwn(stepTable, name)
const unreadable = (why: string): Unreadable => ({ do: 'unreadable', why })
