import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { PHASES, TASK_STATUSES } from '../../src/domain/task/machine.ts'
import { sessionRecord } from '../../src/domain/task/session-record.ts'
import { SESSION_STATUSES } from '../../src/domain/task/status-view.ts'
import { taskJson } from '../../src/protocol/json/task-json.ts'
import { aTask } from '../builders/task.ts'
import { sourceFiles } from '../helpers/source-files.ts'
import { codeSpans, firstCells, readPage, section } from './pages.ts'

const page = 'docs/json-output.md'
/** Requests for many and the lines of their answers are told in words. */
const inWords = 'src/protocol/json/bulk-json.ts'
const shapes = sourceFiles('src/protocol/json')
  .filter((file) => file !== inWords)
  .flatMap((file) => declaredShapes(file))

test.each(shapes)('every field of $name stands in docs/json-output.md, and no other', ({ name, fields }) => {
  const shown = firstCells(section(page, `### \`${name}\``))
  expect(shown.sort()).toEqual([...fields].sort())
})

const task = aTask()
const places = { promptFile: 'p', resultFile: 'r', tmuxSession: 's', view: 'v' }

test('every field of state.json stands in docs/files.md, in its order, and no other', () => {
  expect(firstCells(section('docs/files.md', '## state.json'))).toEqual(
    Object.keys(sessionRecord(task, places)),
  )
})

test.each([
  ['status', SESSION_STATUSES],
  ['task_status', TASK_STATUSES],
  ['phase', PHASES],
] as const)('docs/files.md names every %s', (field, values) => {
  const row = section('docs/files.md', '## state.json')
    .split('\n')
    .find((line) => line.startsWith(`| \`${field}\` |`))!
  expect(codeSpans(row).slice(1)).toEqual(values)
})

test('the glossary names every phase', () => {
  expect(readPage('docs/GLOSSARY.md')).toContain(`beside its status: ${PHASES.join(', ')}.`)
})

test('a task in JSON is state.json and what docs/json-output.md adds', () => {
  const documented = [
    ...firstCells(section('docs/files.md', '## state.json')),
    ...firstCells(section(page, '### `TaskJson`')),
  ]
  expect(Object.keys(taskJson(task, places, 0, { waits_for: null, waits_until: null }, null))).toEqual(
    documented,
  )
})

test('every command with an answer tells what it prints as JSON', () => {
  const listed = firstCells(section(page, '## Commands')).flatMap((first) => first.split(', '))
  const silent = [
    'mcp',
    'attach',
    'top',
    'completion',
    'completion ids',
    'completion roles',
    'completion workspaces',
    'completion triggers',
    'completion threads',
  ]
  const expected = commands.map(({ name }) => name as string).filter((name) => !silent.includes(name))
  expect(listed.sort()).toEqual([...expected, '--version'].sort())
})

/** The fields a type adds in its own braces; what it takes over from another is that one's. */
function declaredShapes(file: string): { name: string; fields: string[] }[] {
  const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  return [...code.matchAll(/export type (\w+Json) =([\s\S]*?)(?=\nexport |$)/g)].map(([, name, body]) => ({
    name: name!,
    fields: [...body!.matchAll(/[{;\n]\s*(\w+)\??:/g)].map(([, field]) => field!),
  }))
}
