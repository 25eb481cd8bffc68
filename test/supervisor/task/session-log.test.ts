import { expect, test } from 'vitest'
import { asRunId, type TaskId } from '../../../src/domain/names/ids.ts'
import { type Evidence, saw } from '../../../src/domain/task/evidence.ts'
import type { StatusBefore, TaskEvent } from '../../../src/domain/task/machine.ts'
import { nextTask } from '../../../src/domain/task/next-state.ts'
import type { Transition } from '../../../src/ports/store/tasks.ts'
import { sessionLog } from '../../../src/supervisor/task/session-log.ts'

const task = { id: '20251118-153042-fixer' as TaskId, role: null, agent: 'claude', createdBy: 'ada' }
type Given = [event: TaskEvent, reason: string, ...evidence: Evidence[]]

/** The lines of the steps behind the four of the creation, without their time. */
function linesFor(...given: Given[]): string[] {
  let from: StatusBefore = 'new'
  const steps = [['created', ''] as Given, ...given].map(([event, reason, ...evidence], at): Transition => {
    const { to, phase } = nextTask(from, event)
    const step = { event, from, to, phase, reason, evidence, number: at + 1, at: 0 }
    from = to
    return { ...step, taskId: task.id, runId: asRunId('r-1') }
  })
  return sessionLog(task, steps, { promptFile: '/p/prompt.md', tmuxSession: 'hf-20251118-153042-fixer' })
    .slice(4)
    .map(({ level, message }) => `${level} ${message}`)
}

test('what an agent does is told as its phase, and only a change of status as one', () => {
  expect(
    linesFor(
      ['launched', 'run 1'],
      ['agent_started', 'it runs'],
      ['question_asked', 'Which colour?'],
      ['question_settled', 'the agent goes on'],
      ['turn_finished', 'its turn is over'],
      ['completed', 'the agent finished', saw('exit_record', 'code 0')],
    ),
  ).toEqual([
    'INFO tmux session: hf-20251118-153042-fixer',
    'INFO Status: CREATED → RUNNING (run 1)',
    'INFO Agent started: run r-1',
    'INFO Phase: working → asking (Which colour?)',
    'INFO Phase: asking → working (the agent goes on)',
    'INFO Phase: working → idle (its turn is over)',
    'INFO Exit code: 0',
    'INFO Status: RUNNING → COMPLETED (the agent finished)',
    'INFO Result written: result.json',
  ])
})

test('a run that started without tmux does not claim that its session was started', () => {
  const evidence = [saw('store', 'a slot is free'), saw('tmux', 'tmux does not work')]
  expect(linesFor(['launched', 'run 1', ...evidence])).toEqual([
    'INFO No tmux session: tmux does not work. Its window opens when tmux works again',
    'INFO Status: CREATED → RUNNING (run 1)',
  ])
})

test('a crash that is retried is a warning with its exit code, and the session still runs', () => {
  expect(
    linesFor(
      ['launched', 'run 1'],
      ['agent_started', 'it runs'],
      ['requeued', 'exited with code 3', saw('exit_record', 'code 3')],
      ['launched', 'run 2: resumes its session'],
      ['agent_started', 'it runs'],
      ['backed_off', 'killed by SIGKILL (retry 2 of 10)', saw('exit_record', 'signal KILL')],
    ).slice(3),
  ).toEqual([
    'WARN Phase: working → queued (exited with code 3). Exit code: 3',
    'INFO tmux session: hf-20251118-153042-fixer',
    'INFO Phase: queued → starting (run 2: resumes its session)',
    'INFO Agent started: run r-1',
    'WARN Phase: working → backing_off (killed by SIGKILL (retry 2 of 10)). Exit signal: KILL',
  ])
})

test('what a person ordered is no warning', () => {
  const evidence = [saw('exit_record', 'signal TERM'), saw('person', 'takeover was ordered')]
  const lines = linesFor(
    ['launched', 'run 1'],
    ['agent_started', 'it runs'],
    ['requeued', 'taken over', ...evidence],
  )
  expect(lines.at(-1)).toBe('INFO Phase: working → queued (taken over)')
})
