// Who claims to tell of a tool call as it begins has told before the tool does anything: the tool itself is the witness.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { driverOf, kindsThat, worldWith } from './daemon-world.ts'
import { useLab } from './lab.ts'

const lab = useLab()
const headless = kindsThat(({ can }) => can.toolsTold.headless === 'as_they_begin')
const conversing = headless.filter((kind) => driverOf(kind).can.converse)
const inTerminal = kindsThat(({ can }) => can.toolsTold.terminal === 'as_they_begin')

test.each([
  ...headless.map((kind) => [kind, []] as const),
  ...conversing.map((kind) => [kind, ['--converse']] as const),
  ...inTerminal.map((kind) => [kind, ['--mode', 'interactive']] as const),
])('%s %j tells of a tool call before the tool does anything', async (kind, flags) => {
  const { world, run } = await worldWith(kind, lab)
  const copy = `cp ${world.home}/runs/$HOLDFAST_RUN/events.jsonl copy && mv copy witness`
  await run(`DO:shell{${copy}}`, 'full', ...flags)
  const witness = join(lab.project, 'witness')
  await waitFor('the tool', () => existsSync(witness), 60_000)
  const says = readFileSync(witness, 'utf8').split('\n').flatMap(driverOf(kind).readEvent)
  expect(says.map((said) => said.kind)).toContain('tool_began')
})
