import { expect, test } from 'vitest'
import { withoutSecrets } from '../../src/changes/without-secrets.ts'
import type { TaskId } from '../../src/domain/names/ids.ts'
import type { Change } from '../../src/ports/store/commits.ts'

const KEY = 'api_key=hunter22'
const taskId = 't' as TaskId

test('what tells of a task is stored without secrets: reason, question, event, audit, gate', () => {
  const change = {
    task: { reason: KEY },
    question: { text: KEY, options: [KEY], ref: null },
    event: { at: 1, kind: 'verified', taskId, data: { verified: false, checks: [{ why: KEY }] } },
    audit: { detail: KEY },
    gate: { reason: KEY },
    moveRuntime: { reason: KEY },
  } as unknown as Change
  const stored = JSON.stringify(withoutSecrets(change))
  expect(stored).not.toContain('hunter')
  expect(stored.match(/api_key=\[redacted\]/g)).toHaveLength(7)
})

test('what is said to an agent stays byte for byte: prompts, answers, and the options by which it is answered', () => {
  const change = {
    input: { taskId, kind: 'prompt', text: KEY, by: 'ann', at: 1 },
    answer: { taskId, number: 1, text: KEY, option: null, by: 'ann', at: 1 },
    reword: { taskId, number: 1, text: KEY },
    question: { text: 'Which?', options: [KEY], ref: 'r1' },
  } as unknown as Change
  expect(withoutSecrets(change)).toEqual(change)
})
