import { expect, test } from 'vitest'
import type { Task } from '../../../src/domain/task/task.ts'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'
import { openAfter, openWorkOf, reasonForPatience } from '../../../src/supervisor/task/open-work.ts'
import { aRun } from '../../builders/run.ts'
import { aTask } from '../../builders/task.ts'

const began: AgentSays = { kind: 'tool_began', tool: 'Bash', detail: '' }
const ended: AgentSays = { kind: 'tool_ended', tool: 'Bash', detail: '', ok: true }
const said: AgentSays = { kind: 'said', text: 'so' }
const heard: AgentSays = { kind: 'heard', ref: null, text: 'x' }
const finished: AgentSays = { kind: 'finished', ok: true, text: '' }
const note: AgentSays = { kind: 'note', text: 'retrying' }

const reasonAfter = (...says: AgentSays[]) =>
  reasonForPatience(openAfter({ tools: 0, request: false }, says))?.fact

test.each<[string, AgentSays[], string | undefined]>([
  ['a tool call', [began], 'a tool call is open'],
  ['two, of which one ended', [began, began, ended], 'a tool call is open'],
  ['two', [began, began], '2 tool calls are open'],
  ['a tool call that ended', [began, ended], 'a request to its model is open'],
  ['a prompt', [heard], 'a request to its model is open'],
  ['a prompt and a note', [heard, note], 'a request to its model is open'],
  ['a prompt and its answer', [heard, said], undefined],
  ['a turn that ended with a tool open', [heard, began, finished], undefined],
  ['an end that nobody saw begin', [ended, said], undefined],
])('after %s there is patience for: %s', (_, says, reason) => {
  expect(reasonAfter(...says)).toBe(reason)
})

test('what is not known is patience, until a turn is over', () => {
  expect(reasonForPatience(openAfter(null, [began, ended, said]))?.fact).toMatch(/not known/)
  expect(reasonForPatience(openAfter(null, [said, finished]))).toBeUndefined()
})

test('a new run has its prompt, unless it is typed later; one that spoke under an earlier daemon is not known', () => {
  const of = (mode: Task['mode'], eventsOffset: number) => openWorkOf(aTask({ mode }), aRun({ eventsOffset }))
  expect(of('headless', 0)).toEqual({ tools: 0, request: true })
  expect(of('interactive', 0)).toEqual({ tools: 0, request: false })
  expect(of('headless', 10)).toBeNull()
})
