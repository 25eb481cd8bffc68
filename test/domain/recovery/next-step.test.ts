import { expect, test } from 'vitest'
import { asNodeId, asTaskId } from '../../../src/domain/names/ids.ts'
import type { NextFacts } from '../../../src/domain/recovery/next-facts.ts'
import { nextStep } from '../../../src/domain/recovery/next-step.ts'
import type { TaskState } from '../../../src/domain/task/state.ts'
import { aRestart, aStop } from '../../builders/orders.ts'
import { ended, inPhase } from '../../builders/phases.ts'
import { aQuestion } from '../../builders/question.ts'
import { aTask, type TaskChanges } from '../../builders/task.ts'

const AT = 1000
const TYPING = { kind: 'person_types', lastKeyAt: 6000, until: 26_000 } as const
const resume = { how: 'resume', say: 'go on' } as const

type Changes = Partial<Omit<NextFacts, 'task'>> & { task?: TaskChanges }
const facts = (state: TaskState, { task, ...more }: Changes = {}): NextFacts => ({
  mostRetries: 10,
  open: [],
  answerWay: 'at_once',
  gate: null,
  queuePosition: null,
  quietHours: null,
  life: null,
  isFinishing: false,
  outage: null,
  elsewhere: null,
  unsaid: { prompts: 0, kept: null },
  now: 20_000,
  ...more,
  task: aTask(state, { id: asTaskId('t1'), ...task }),
})
const gate = (canary: string | null = null) => ({ kind: 'limit', until: AT, canary }) as const
const parked = inPhase.parked({ goOn: resume, until: AT })
const stop = aStop({ reason: 'wrong branch' })
const restart = aRestart({ reason: 'takeover by me' })
const answered = aQuestion({ answer: 'Yes', answeredBy: 'me', answeredAt: 2 })

const rows: [name: string, facts: NextFacts, what: string, at: number | null][] = [
  ['archived', facts(ended.failed(), { task: { archivedAt: 5 } }), 'ended and is archived', null],
  ['completed', facts(ended.completed()), 'nothing: it is done', null],
  ['failed', facts(ended.failed()), 'a resume goes on where it stopped, a retry starts over', null],
  [
    'of a daemon that is silent',
    facts(inPhase.working(), {
      elsewhere: { nodeId: asNodeId('node-b'), host: 'den', silentSince: 8000 },
      task: { stop },
    }),
    'not known: nothing was heard of its daemon, on den, for 12s',
    null,
  ],
  ['being ended', facts(inPhase.working(), { task: { stop, restart } }), 'being ended: wrong branch', null],
  ['being moved', facts(inPhase.working(), { task: { restart } }), 'then it goes on: takeover by me', null],
  ['asking', facts(inPhase.asking(), { open: [aQuestion()] }), 'waits for your answer', null],
  [
    'asking, to be resumed with the answer',
    facts(inPhase.asking(), { open: [aQuestion()], answerWay: 'resume' }),
    'waits for your answer, and is resumed with it',
    null,
  ],
  [
    'asking, and nobody can answer',
    facts(inPhase.asking(), { open: [aQuestion()], answerWay: 'none' }),
    'retry it from the beginning, or end it',
    null,
  ],
  [
    'asking two things',
    facts(inPhase.asking(), {
      open: [answered, aQuestion({ number: 2 }), aQuestion({ number: 3 })],
    }),
    'waits for your answer',
    null,
  ],
  [
    'answered',
    facts(inPhase.asking(), { open: [answered] }),
    'as soon as its agent has got the answer',
    null,
  ],
  [
    'stopped by a person',
    facts(inPhase.stoppedByPerson()),
    'waits for you to let it go on, or to close it',
    null,
  ],
  ...(
    [
      [{ kind: 'task', id: asTaskId('t2') }, 'waits for session t2 to end, then resumes its session'],
      [{ kind: 'children' }, 'waits for the sessions that it started to end'],
      [{ kind: 'tmux' }, 'waits for tmux to work again'],
      [{ kind: 'approval', of: 'the plan' }, 'waits for approval of the plan'],
      [{ kind: 'node', id: asNodeId('n2') }, 'waits for node n2 to be back'],
    ] as const
  ).map(([waitsFor, what]): (typeof rows)[number] => [
    `waiting for ${waitsFor.kind}`,
    facts(inPhase.waiting({ for: waitsFor, goOn: resume })),
    what,
    null,
  ]),
  [
    'parked behind a gate',
    facts(parked, { gate: gate() }),
    'resumes its session; its usage limit should be over then: one task tries first, the rest follow',
    AT,
  ],
  [
    'parked behind a gate, with quiet hours',
    facts(parked, { gate: gate(), quietHours: '22:00-07:00' }),
    'over then, but not in 22:00-07:00: one task',
    AT,
  ],
  [
    'parked while another one tries',
    facts(parked, { gate: gate('t2') }),
    'resumes its session when t2, which tries first, makes progress',
    null,
  ],
  ['parked alone', facts(parked), 'resumes its session', AT],
  [
    'queued behind a gate',
    facts(inPhase.queued(), { gate: { ...gate(), kind: 'environment' }, queuePosition: 1 }),
    'starts; the problem of the machine or the network may be over then',
    AT,
  ],
  [
    'queued without tmux',
    facts(inPhase.queued(), {
      queuePosition: 1,
      outage: {
        why: 'The tmux server died 3 times within ten minutes; Holdfast waits before it starts tmux again.',
        retryAt: AT,
      },
    }),
    'starts when tmux works again (the tmux server died 3 times within ten minutes; Holdfast waits before it starts tmux again)',
    AT,
  ],
  [
    'trying first',
    facts(inPhase.queued({ goOn: resume }), { gate: gate('t1'), queuePosition: 1 }),
    'resumes its session as soon as a slot is free (number 1 in the queue)',
    null,
  ],
  [
    'backing off',
    facts(inPhase.backingOff({ goOn: resume, until: AT }), { task: { retries: 2 } }),
    'resumes its session (retry 2 of 10)',
    AT,
  ],
  [
    'backing off, to begin anew',
    facts(inPhase.backingOff({ goOn: { how: 'with_context', say: '' }, until: AT })),
    'starts over, and is told what was done',
    AT,
  ],
  [
    'queued',
    facts(inPhase.queued(), { queuePosition: 3 }),
    'starts as soon as a slot is free (number 3',
    null,
  ],
  ['starting', facts(inPhase.starting()), 'its agent is being started', null],
  ['verifying', facts(inPhase.verifying()), 'its work is being verified', null],
  ['stuck', facts(inPhase.stuck()), 'is interrupted and resumed, unless it shows a sign of life', null],
  ['idle', facts(inPhase.idle()), 'waits for a prompt', null],
  [
    'idle, with prompts that somebody at its terminal keeps back',
    facts(inPhase.idle(), { unsaid: { prompts: 2, kept: TYPING } }),
    'idle; 2 prompts wait: someone is typing in its terminal (14s ago); leave the keys alone for a while',
    null,
  ],
  [
    'idle, with a prompt that is being typed',
    facts(inPhase.idle(), { unsaid: { prompts: 1, kept: { kind: 'being_typed' } } }),
    'gets its prompt now',
    null,
  ],
  [
    'working, as far as is known, with a prompt that cannot be typed',
    facts(inPhase.working(), { unsaid: { prompts: 1, kept: { kind: 'starting' } } }),
    '1 prompt waits: its agent is not ready yet; see there what the agent waits for',
    null,
  ],
  [
    'working, with prompts for later',
    facts(inPhase.working(), { unsaid: { prompts: 2, kept: null } }),
    'nothing: it works; 2 prompts wait for the end of its turn',
    null,
  ],
  ['working', facts(inPhase.working()), 'nothing: it works', null],
  [
    'working and heard of',
    facts(inPhase.working(), { life: { silentMs: 3000, limitMs: 300_000, patience: null } }),
    'nothing: it works; last sign of life 3s ago',
    null,
  ],
  [
    'working in silence',
    facts(inPhase.working(), {
      life: { silentMs: 400_000, limitMs: 1_800_000, patience: 'a tool call is open' },
    }),
    'last sign of life 6m 40s ago, a tool call is open (stuck after 30m)',
    null,
  ],
]

test.each(rows)('what comes next for a task that is %s', (_, given, what, at) => {
  const next = nextStep(given)
  expect(next.what).toContain(what)
  expect(next.at).toBe(at)
})

test.each(rows)('no command line stands in what comes next for a task that is %s', (_, given) => {
  expect(nextStep(given).what).not.toMatch(/holdfast|`/)
})

test('what comes next has a kind that a program can read', () => {
  const kinds = rows.map(([name, given]) => [name, nextStep(given).kind])
  expect(Object.fromEntries(kinds)).toEqual({
    archived: 'archived',
    completed: 'done',
    failed: 'ended',
    'of a daemon that is silent': 'node_silent',
    'being ended': 'being_ended',
    'being moved': 'being_restarted',
    asking: 'awaits_answer',
    'asking, to be resumed with the answer': 'awaits_answer',
    'asking, and nobody can answer': 'cannot_be_answered',
    'asking two things': 'awaits_answer',
    answered: 'takes_answer',
    'stopped by a person': 'awaits_person',
    'waiting for task': 'waiting',
    'waiting for children': 'waiting',
    'waiting for tmux': 'waiting',
    'waiting for approval': 'waiting',
    'waiting for node': 'waiting',
    'parked behind a gate': 'behind_gate',
    'parked behind a gate, with quiet hours': 'behind_gate',
    'parked while another one tries': 'behind_gate',
    'parked alone': 'parked',
    'queued behind a gate': 'behind_gate',
    'trying first': 'queued',
    'backing off': 'backing_off',
    'backing off, to begin anew': 'backing_off',
    queued: 'queued',
    'queued without tmux': 'awaits_tmux',
    starting: 'starting',
    verifying: 'verifying',
    stuck: 'stuck',
    idle: 'idle',
    'idle, with prompts that somebody at its terminal keeps back': 'kept_back',
    'idle, with a prompt that is being typed': 'being_told',
    'working, as far as is known, with a prompt that cannot be typed': 'kept_back',
    'working, with prompts for later': 'working',
    working: 'working',
    'working and heard of': 'working',
    'working in silence': 'working',
  })
})

test('an answer names its question only where several are open', () => {
  const two = [answered, aQuestion({ number: 2 }), aQuestion({ number: 3 })]
  const asking = (open: NextFacts['open']) => nextStep(facts(inPhase.asking(), { open })).question
  expect([asking(two), asking([answered, aQuestion({ number: 2 })])]).toEqual([2, null])
})
