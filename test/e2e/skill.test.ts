// `skill install`: what is written where, and what is left alone.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startWorld, type World } from '../helpers/world.ts'

type Installed = { files: { agent: string; file: string; outcome: string }[] }

const install = (world: World, ...flags: string[]) =>
  world.json<Installed>(['skill', 'install', '--yes', ...flags])
const claudeFile = (world: World) => join(world.user, '.claude/skills/holdfast/SKILL.md')

test('the skill goes to every agent that has a folder, and is there only once', async () => {
  const world = await startWorld()
  for (const dir of ['.claude', '.codex']) mkdirSync(join(world.user, dir))
  const { files } = await install(world)
  expect(files.map(({ agent, outcome }) => `${agent} ${outcome}`)).toEqual([
    'claude written',
    'codex written',
  ])
  const text = readFileSync(claudeFile(world), 'utf8')
  expect(text).toMatch(/^---\nname: holdfast\ndescription: .+\n---\n/)
  expect(text).toContain('Never poll')
  expect((await install(world)).files.map(({ outcome }) => outcome)).toEqual(['same', 'same'])
  expect(existsSync(join(world.user, '.pi'))).toBe(false)
})

test('a file that nobody changed is replaced by a newer one; a changed one stays', async () => {
  const world = await startWorld()
  await install(world, '--agent', 'claude')
  const file = claudeFile(world)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, `my own words\n${text}`)
  expect((await install(world, '--agent', 'claude')).files).toMatchObject([{ file, outcome: 'kept' }])
  expect(readFileSync(file, 'utf8')).toContain('my own words')
})

test('it asks; where nobody can be asked, and inside a run, nothing is written', async () => {
  const world = await startWorld()
  const asked = await world.cli(['skill', 'install', '--agent', 'claude'])
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('CONFIRMATION_NEEDED') })
  const inside = await world.cli(['skill', 'install', '--yes', '--agent', 'claude'], {
    env: { HOLDFAST_RUN: 'some-run' },
  })
  expect(inside).toMatchObject({ code: 1, stderr: expect.stringContaining('NOT_ALLOWED_FOR_RUN') })
  const none = await world.cli(['skill', 'install', '--yes'])
  expect(none.stderr).toContain('Name one with --agent')
  expect(existsSync(join(world.user, '.claude'))).toBe(false)
})
