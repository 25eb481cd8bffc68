// Owns what the drill's task is told: to write four lines, with a hold in the middle where it can be struck.
import type { InputOf } from '../cli/commands.ts'

export type DrillAgent = NonNullable<InputOf<'drill'>['options']['agent']>

/** What goes wrong for the agent after the hold. */
export type Trouble = 'limit' | 'network'

/** Files of the scratch project. */
export const FILES = { work: 'work.txt', hold: 'hold.sh', held: 'held', go: 'go', online: 'online' } as const
export const LINES = ['one', 'two', 'three', 'four'] as const
export const RESULT = 'The work is done.'
const TROUBLE_SECONDS = 2

/**
 * A tool call that lasts until the drill lets it go. It writes its pid when the agent has come that far: after a moment,
 * because agents record what they did a little later, and one that is killed before does it again (docs/recovery.md).
 */
export const HOLD = `sleep 0.5\necho $$ >${FILES.held}\nuntil [ -e ${FILES.go} ]; do sleep 0.02; done\n`

export function promptFor(agent: DrillAgent, trouble: Trouble | undefined): string {
  return agent === 'scripted' ? script(trouble) : instruction(trouble)
}

function script(trouble: Trouble | undefined): string {
  const meets: Record<Trouble, string> = {
    limit: `limit ${TROUBLE_SECONDS}`,
    network: `fail-until ${FILES.online} environment The network is down.`,
  }
  const steps = [
    ...inTheMiddle(
      (line) => `append ${FILES.work} ${line}`,
      `run sh ${FILES.hold}`,
      trouble && meets[trouble],
    ),
    `finish ${RESULT}`,
  ]
  return steps.map((step) => `do: ${step}`).join('\n')
}

/** The prompt for an agent with a model. The scripted model of our tests reads only its steps. */
function instruction(trouble: Trouble | undefined): string {
  const meets: Record<Trouble, string> = { limit: 'limited', network: 'offline' }
  const steps = inTheMiddle(
    (line) => `DO:shell{echo ${line} >> ${FILES.work}}`,
    // The shell outlives the killed script and ends by itself: OpenCode 1.18 waits for ever for a shell that a signal ended.
    `DO:shell{sh ${FILES.hold}; echo let go}`,
    trouble && `DO:${meets[trouble]}{${TROUBLE_SECONDS}}`,
  )
  return [
    'This is a drill. It shows whether your work goes on after something was killed.',
    'Do these steps in their order, each with one call of your shell tool and nothing but the command in the braces.',
    'One of them takes a while: wait for it. When a command fails or is killed, go on with the next step.',
    'Never do a step again that took effect.',
    '',
    ...steps,
    '',
    `When all steps are done, say: ${RESULT}`,
  ].join('\n')
}

function inTheMiddle(line: (text: string) => string, hold: string, trouble: string | undefined): string[] {
  const lines = LINES.map(line)
  const half = lines.length / 2
  return [...lines.slice(0, half), hold, ...(trouble ? [trouble] : []), ...lines.slice(half)]
}
