import { expect, test } from 'vitest'
import { readClaudeEvent } from '../../../src/agents/claude/events.ts'
import { readCodexEvent } from '../../../src/agents/codex/events.ts'
import { readOpencodeEvent } from '../../../src/agents/opencode/events.ts'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'
import { renderSays } from '../../../src/supervisor/reading/render-says.ts'
import { toldInFull, wordsAfter } from '../../../src/supervisor/task/told-in-full.ts'

const NOTHING = { steps: [], words: null }
const shown = (says: AgentSays[], before = NOTHING) => toldInFull(says, before).map(renderSays).join('')

const tool = (id: string, name: string, command: string) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name, input: { command } }] },
})
const ended = (id: string, content: string) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content }] },
})

test('the end of a tool names its tool, also where two ran at once and the second ended first', () => {
  const lines = [tool('a', 'Bash', 'ls'), tool('b', 'Grep', 'x'), ended('b', 'found'), ended('a', 'files')]
  expect(shown(lines.flatMap((line) => readClaudeEvent(JSON.stringify(line))))).toBe(
    'tool: Bash ls\ntool: Grep x\ntool done: Grep found\ntool done: Bash files\n',
  )
})

test('it names one that began before a daemon was restarted', () => {
  const steps = [{ tool: 'Bash', detail: 'ls', ok: null, call: 'a' }]
  const says = readClaudeEvent(JSON.stringify(ended('a', 'files')))
  expect(toldInFull(says, { steps, words: null }).map(renderSays)).toEqual(['tool done: Bash files\n'])
})

test('the result of codex exec is what it said last', () => {
  const lines = [
    { type: 'item.completed', item: { type: 'agent_message', text: 'All green.' } },
    { type: 'turn.completed', usage: {} },
  ]
  const says = lines.flatMap((line) => readCodexEvent(JSON.stringify(line)))
  expect(shown(says)).toBe('agent: All green.\nresult: All green.\n')
})

test('the result of OpenCode is what it said last, also when a daemon read that before', () => {
  const part = { type: 'step-finish', reason: 'stop', tokens: {}, cost: 0 }
  const line = { type: 'step_finish', sessionID: 'ses_1', part }
  const says = readOpencodeEvent(JSON.stringify(line)).filter(({ kind }) => kind === 'finished')
  expect(toldInFull(says, { steps: [], words: 'All green.' }).map(renderSays)).toEqual([
    'result: All green.\n',
  ])
})

test('a turn without a word has no words of the turn before', () => {
  const turn: AgentSays[] = [
    { kind: 'said', text: 'one' },
    { kind: 'finished', ok: true, text: '' },
  ]
  const words = wordsAfter(turn, null)
  expect(words).toBeNull()
  expect(
    toldInFull([{ kind: 'finished', ok: true, text: '' }], { steps: [], words }).map(renderSays),
  ).toEqual(['result: it said nothing\n'])
})
