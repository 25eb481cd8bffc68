import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codexDriver } from '../../../src/agents/codex/driver.ts'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'

const folder = new URL('../../fixtures/events/codex/live/', import.meta.url)
const streams = readdirSync(folder).map((file) => file.slice(0, -'.jsonl'.length))
const linesOf = (name: string) =>
  readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
    .trim()
    .split('\n')
const read = (lines: readonly string[]): AgentSays[] => lines.flatMap((line) => codexDriver.readEvent(line))
const sessionIn = (name: string) =>
  read(linesOf(name)).flatMap((said) => (said.kind === 'session' ? [said.id] : []))[0] ?? ''
const kinds = (says: readonly AgentSays[]) => says.map(({ kind }) => kind).filter((kind) => kind !== 'note')

test.each(streams)('%s: one session, each prompt heard, nothing unknown', (name) => {
  const says = read(linesOf(name))
  expect(sessionIn(name)).toMatch(codexDriver.sessionIdPattern)
  expect(says.find((said) => said.kind === 'heard')).toMatchObject({ ref: 'hf-1' })
  expect(says.filter(({ kind }) => kind === 'unknown' || kind === 'session')).toHaveLength(1)
})

test.each([
  ['command-approved', true, 'did it'],
  ['command-declined', false, 'left it'],
] as const)('%s: asked, answered, ended', (name, ok, text) => {
  const says = read(linesOf(name))
  expect(kinds(says)).toEqual([
    ...['session', 'heard', 'tool_began', 'asked', 'answered', 'tool_ended'],
    ...['usage', 'said', 'usage', 'finished'],
  ])
  expect(says.find((said) => said.kind === 'tool_ended')).toMatchObject({ tool: 'shell', ok })
  expect(says.at(-1)).toEqual({ kind: 'finished', ok: true, text })
  expect(says.findLast((said) => said.kind === 'usage')).toMatchObject({ tokensIn: 200, cumulative: true })
})

test('a command is asked about with its words and its reason', () => {
  const asked = read(linesOf('command-approved')).find((said) => said.kind === 'asked')
  expect(asked).toMatchObject({
    question: [
      'Would you like to run the following command?',
      "$ /bin/bash -lc 'echo x >>/home/user/other/r1'",
      'Directory: /home/user/project',
      'Reason: May I?',
    ].join('\n'),
  })
})

test('an edit tells its file before it is asked about', () => {
  const says = read(linesOf('edit-approved'))
  expect(says.find((said) => said.kind === 'tool_began')).toMatchObject({
    tool: 'edit',
    detail: 'add /home/user/other/r3',
  })
})

test('a limit fails one turn, and the next goes well', () => {
  const says = read(linesOf('usage-limit'))
  expect(says.find((said) => said.kind === 'limited')?.resets).toMatch(/^try again at .* [AP]M/)
  expect(says.filter((said) => said.kind === 'finished')).toMatchObject([
    { ok: false, failure: 'limit' },
    { ok: true, text: 'later' },
  ])
})

test('what a helper does is told apart', () => {
  const lines = linesOf('helper')
  const own = read(lines.filter((line) => codexDriver.isOf!(line, sessionIn('helper'))))
  expect(own.filter(({ kind }) => kind === 'tool_began')).toMatchObject([{ tool: 'spawnAgent' }])
  expect(read(lines).filter(({ kind }) => kind === 'tool_began')).toHaveLength(2)
  expect(own.filter(({ kind }) => kind === 'finished')).toHaveLength(1)
})
