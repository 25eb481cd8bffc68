import { expect, test } from 'vitest'
import type { Verification } from '../../../src/domain/task/task.ts'
import { MOST_FAILURES_KEPT, parseContract } from '../../../src/domain/verify/contract.ts'
import { taskDetail } from '../../../src/server/views/task.ts'
import type { Detail } from '../../../src/supervisor/desk.ts'
import { aNewTask } from '../../builders/task.ts'

const contract = parseContract([{ file: 'a.md' }, { command: 'npm test' }], 'here')
const found = (verified: boolean, failures: readonly string[]): Verification => ({
  verified,
  failures,
  rounds: 0,
  fingerprint: '',
  at: 0,
})

function checksOf(verification: Verification | null, given: Detail['contract'] | null = contract) {
  const seen = {
    task: { ...aNewTask(), verification },
    places: { tmuxSession: '' },
    waits: { for: null, until: null },
    activeAt: null,
    at: 0,
    questions: [],
    inputs: [],
    unsaid: { prompts: 0, kept: null },
    next: { kind: 'queued', what: '', at: null, question: null, runtime: null },
    contract: given ?? undefined,
  } as unknown as Detail
  const { checks, has_contract } = taskDetail(seen)
  expect(has_contract).toBe(given !== null)
  return checks.map(({ check, ok }) => [check, ok])
}

test('each check of a contract is told with how it ended when the checks last ran', () => {
  expect(checksOf(null)).toEqual([
    ['file a.md', null],
    ['command npm test', null],
  ])
  expect(checksOf(found(true, []))).toEqual([
    ['file a.md', true],
    ['command npm test', true],
  ])
  expect(checksOf(found(false, ['command npm test: exit 1']))).toEqual([
    ['file a.md', true],
    ['command npm test', false],
  ])
})

test('where some failures were not kept, nothing is said of the checks that are not named', () => {
  const many = Array.from({ length: MOST_FAILURES_KEPT }, (_, at) => `file ${at}: it is missing`)
  expect(checksOf(found(false, many))).toEqual([
    ['file a.md', null],
    ['command npm test', null],
  ])
})

test('a task without a contract has no checks', () => expect(checksOf(null, null)).toEqual([]))
