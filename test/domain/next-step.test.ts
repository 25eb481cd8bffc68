import { expect, test } from 'vitest'
import type { TaskId } from '../../src/domain/ids.ts'
import { type NextFacts, nextStep } from '../../src/domain/next-step.ts'
import type { Phase, TaskStatus } from '../../src/domain/task-machine.ts'
import { aQuestion } from '../supervisor/samples.ts'

const id = 't1' as TaskId
const AT = 1000
const resume = { how: 'resume', say: 'go on' } as const

type Changes = Partial<Omit<NextFacts, 'task'>> & { task?: Partial<NextFacts['task']> }
const facts = (status: TaskStatus, phase: Phase | null, { task, ...more }: Changes = {}): NextFacts => ({
  mostRetries: 10,
  open: [],
  gate: null,
  queuePosition: null,
  quietHours: null,
  life: null,
  ...more,
  task: {
    id,
    status,
    phase,
    phaseUntil: null,
    retries: 0,
    goOn: null,
    stop: null,
    restart: null,
    mode: 'headless',
    archivedAt: null,
    ...task,
  },
})
const gate = (canary: string | null = null) => ({ kind: 'limit', until: AT, canary }) as const
const parked = { goOn: resume, phaseUntil: AT }
const stop = { kind: 'kill', by: 'me', reason: 'wrong branch', at: 1 } as const
const restart = {
  kind: 'takeover',
  by: 'me',
  reason: 'takeover by me',
  at: 1,
  goOn: null,
  mode: null,
} as const
const answered = aQuestion({ answer: 'Yes', answeredBy: 'me', answeredAt: 2 })

const rows: [name: string, facts: NextFacts, what: string, at: number | null][] = [
  ['archived', facts('failed', null, { task: { archivedAt: 5 } }), 'ended and is archived', null],
  ['completed', facts('completed', null), 'nothing: it is done', null],
  ['failed', facts('failed', null), '`holdfast resume t1` goes on where it was, `holdfast retry t1`', null],
  [
    'being ended',
    facts('running', 'working', { task: { stop, restart } }),
    'being ended: wrong branch',
    null,
  ],
  [
    'being moved',
    facts('running', 'working', { task: { restart } }),
    'then it goes on: takeover by me',
    null,
  ],
  [
    'asking',
    facts('waiting_input', 'asking', { open: [aQuestion()] }),
    'your answer: `holdfast answer t1 <choice>`',
    null,
  ],
  [
    'asking two things',
    facts('waiting_input', 'asking', {
      open: [answered, aQuestion({ number: 2 }), aQuestion({ number: 3 })],
    }),
    '`holdfast answer t1 --question 2 <choice>`',
    null,
  ],
  [
    'answered',
    facts('waiting_input', 'asking', { open: [answered] }),
    'as soon as it has taken the answer',
    null,
  ],
  [
    'stopped by a person',
    facts('waiting_input', 'stopped_by_person'),
    'waits for you: `holdfast resume t1` lets it go on',
    null,
  ],
  [
    'parked behind a gate',
    facts('running', 'parked', { gate: gate(), task: parked }),
    'resumes its session; its usage limit should be over then: one task tries first, the rest follow',
    AT,
  ],
  [
    'parked behind a gate, with quiet hours',
    facts('running', 'parked', { gate: gate(), task: parked, quietHours: '22:00-07:00' }),
    'over then, but not in 22:00-07:00: one task',
    AT,
  ],
  [
    'parked while another one tries',
    facts('running', 'parked', { gate: gate('t2'), task: parked }),
    'resumes its session when t2, which tries first, gets on',
    null,
  ],
  ['parked alone', facts('running', 'parked', { task: parked }), 'resumes its session', AT],
  [
    'queued behind a gate',
    facts('pending', 'queued', { gate: { ...gate(), kind: 'environment' }, queuePosition: 1 }),
    'starts; the trouble of the machine or the network may be over then',
    AT,
  ],
  [
    'trying first',
    facts('pending', 'queued', { gate: gate('t1'), queuePosition: 1, task: { goOn: resume } }),
    'resumes its session as soon as a slot is free (number 1 in the queue)',
    null,
  ],
  [
    'backing off',
    facts('running', 'backing_off', { task: { ...parked, retries: 2 } }),
    'resumes its session (retry 2 of 10)',
    AT,
  ],
  [
    'backing off, to begin anew',
    facts('running', 'backing_off', { task: { ...parked, goOn: { how: 'with_context', say: '' } } }),
    'begins anew, and is told what was done',
    AT,
  ],
  [
    'queued',
    facts('pending', 'queued', { queuePosition: 3 }),
    'starts as soon as a slot is free (number 3',
    null,
  ],
  ['starting', facts('running', 'starting'), 'its agent is being started', null],
  ['verifying', facts('running', 'verifying'), 'its work is being verified', null],
  ['stuck', facts('running', 'stuck'), 'is brought back, unless it shows life', null],
  ['idle', facts('running', 'idle'), 'waits for a prompt: `holdfast send t1`', null],
  [
    'idle in its terminal',
    facts('running', 'idle', { task: { mode: 'interactive' } }),
    '`holdfast send t1` or `holdfast attach t1`',
    null,
  ],
  ['working', facts('running', 'working'), 'nothing: it works', null],
  [
    'working and heard of',
    facts('running', 'working', { life: { silentMs: 3000, limitMs: 300_000, patience: null } }),
    'nothing: it works; last sign of life 3s ago',
    null,
  ],
  [
    'working in silence',
    facts('running', 'working', {
      life: { silentMs: 400_000, limitMs: 1_800_000, patience: 'a tool call is open' },
    }),
    'last sign of life 6m 40s ago, a tool call is open (stuck after 30m 0s)',
    null,
  ],
]

test.each(rows)('what comes next for a task that is %s', (_, given, what, at) => {
  const next = nextStep(given)
  expect(next.what).toContain(what)
  expect(next.at).toBe(at)
})
