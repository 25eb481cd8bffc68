// Owns the text of `why`: the state of a task, what comes next, and everything that happened.
import type { EvidenceSource } from '../../../domain/task/evidence.ts'
import type { Way } from '../../../domain/task/go-on.ts'
import type { TaskEvent } from '../../../domain/task/machine.ts'
import type { EvidenceJson, RunStoryJson, StoryJson, WhyJson } from '../../../protocol/json/recovery-json.ts'
import { oneLine } from '../print/cells.ts'
import { fields } from '../print/fields.ts'
import { localSecond } from '../print/time.ts'
import { nodeLine } from './elsewhere-text.ts'
import { nextText } from './next-text.ts'
import { questionLines } from './question-text.ts'
import { statusText } from './status-text.ts'

export function whyLines(why: WhyJson, now: number): string[] {
  const { session_id, reason, question, story, runs } = why
  return [
    `${session_id}: ${statusText({ ...why, stopping: null, asked_by: why.question?.asked_by ?? null }, now)}`,
    ...fields(
      [
        ['Why', reason],
        ['Seen', story.at(-1)?.evidence.map(evidenceText).join('; ') ?? null],
        ['Node', nodeLine(why)],
        ['Next', nextText(why, now)],
        ['Tools', why.bridge === 'absent' ? BRIDGE_ABSENT : null],
      ],
      '  ',
    ),
    ...(question === null ? [] : questionLines(question)),
    '',
    'What happened:',
    ...storyLines(story),
    ...(runs.length === 0 ? [] : ['', 'Runs:', ...runs.map(runLine)]),
  ]
}

const BRIDGE_ABSENT = 'the agent works without the tools of Holdfast that it was given'

const SOURCES: Readonly<Record<EvidenceSource, string>> = {
  exit_record: 'exit record',
  agent: 'agent',
  process: 'processes',
  screen: 'screen',
  tmux: 'tmux',
  clock: 'clock',
  person: 'person',
  store: 'store',
  verifier: 'verifier',
}

const evidenceText = ({ source, fact }: EvidenceJson) =>
  `${SOURCES[source as EvidenceSource] ?? source}: ${fact}`

const EVENTS: Readonly<Record<TaskEvent, string>> = {
  created: 'created',
  launched: 'started',
  agent_started: 'at work',
  question_asked: 'asks',
  question_settled: 'goes on',
  turn_finished: 'turn is over',
  turn_began: 'new turn',
  prompt_waits: 'prompt waits',
  requeued: 'goes on',
  backed_off: 'waits a while',
  parked: 'parked',
  waiting_began: 'waits',
  person_stopped: 'stopped by you',
  stuck_seen: 'stuck',
  escalated: 'needs you',
  verifying: 'being verified',
  reopened: 'brought back',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'ended',
}
const eventText = (event: string) => EVENTS[event as TaskEvent] ?? event.replaceAll('_', ' ')
const WIDEST = Math.max(...Object.values(EVENTS).map((text) => text.length))

/** The date is a line of its own before the first event of each day. */
function storyLines(story: readonly StoryJson[]): string[] {
  let day = ''
  return story.flatMap(({ at, event, reason, evidence }) => {
    const [date = '', time = ''] = localSecond(at).split(' ')
    const heading = date === day ? [] : [`  ${date}`]
    day = date
    const line = `  ${time}  ${eventText(event).padEnd(WIDEST)}  ${oneLine(reason)}`
    const indent = ' '.repeat(12 + WIDEST + 2)
    return [...heading, line, ...evidence.map((one) => `${indent}${oneLine(evidenceText(one))}`)]
  })
}

const WAYS: Readonly<Record<Way | 'start', string>> = {
  start: 'first start',
  resume: 'resumed',
  with_context: 'started again with context',
  fresh: 'started again',
}

function runLine({ number, how, state, exit, failure, tools, progress }: RunStoryJson): string {
  const ended = exit === null ? state : `${state} with ${exit}`
  const why = failure === null ? '' : ` (${failure})`
  const done =
    tools + progress === 0
      ? ''
      : `; ${counted(tools, 'tool call')} started, ${counted(progress, 'step')} done`
  return `  ${number}. ${WAYS[how as Way] ?? how}: ${ended}${why}${done}`
}

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
