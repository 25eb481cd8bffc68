import { expect, test } from 'vitest'
import type { Run } from '../../../src/domain/task/run.ts'
import type { Task } from '../../../src/domain/task/task.ts'
import type { AgentDriver } from '../../../src/ports/run/agent-driver.ts'
import { staysWithoutSession } from '../../../src/supervisor/watching/lost-session.ts'
import { aRun } from '../../builders/run.ts'
import { aTask } from '../../builders/task.ts'

const driver = { lostSession: (text: string) => text.startsWith('no such session') } as AgentDriver
const conversing = aTask({ snapshot: { converse: true } })
const resumed = aRun({ how: 'resume', result: { ok: false, text: 'no such session 7' } })

test.each<[string, Task, Run, boolean]>([
  ['a conversation', conversing, resumed, true],
  ['a terminal', { ...conversing, mode: 'interactive' }, resumed, true],
  ['one that ends by itself', aTask(), resumed, false],
  ['one that was not to be resumed', conversing, { ...resumed, how: 'fresh' }, false],
  ['another failure', conversing, { ...resumed, result: { ok: false, text: 'overloaded' } }, false],
  ['success', conversing, { ...resumed, result: { ok: true, text: 'no such session' } }, false],
  ['nothing said', conversing, { ...resumed, result: null }, false],
])('whether a run stays without its session is known for %s', (_, task, run, stays) => {
  expect(staysWithoutSession(task, run, driver)).toBe(stays)
})
