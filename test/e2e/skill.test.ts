// `skill install`: what is written where, and what is left alone.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { personAt } from '../helpers/person.ts'
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

test('a file that somebody changed stays', async () => {
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

test.each([
  { typed: ['y', 'Enter'], outcome: 'Written', isThere: true },
  { typed: ['YES', 'Enter'], outcome: 'Written', isThere: true },
  { typed: ['n', 'Enter'], outcome: 'Left as it is', isThere: false },
  { typed: ['Enter'], outcome: 'Left as it is', isThere: false },
  { typed: ['C-d'], outcome: 'Left as it is', isThere: false },
])('a person in a terminal who types $typed: $outcome', async ({ typed, outcome, isThere }) => {
  const world = await startWorld()
  const person = personAt(world)
  person.runs('skill', 'install', '--agent', 'claude')
  await person.shows('SKILL.md? [y/N]')
  for (const key of typed) person.types(key)
  await person.shows(`${outcome}:`)
  expect(await person.exitCode()).toBe('0')
  expect(existsSync(claudeFile(world))).toBe(isThere)
})

test('a person is asked for each file, and before one that they changed is replaced; ctrl-c leaves the rest', async () => {
  const world = await startWorld()
  await install(world, '--agent', 'claude')
  writeFileSync(claudeFile(world), 'my own words')
  const person = personAt(world)
  person.runs('skill', 'install', '--agent', 'claude', '--agent', 'codex')
  await person.shows('was changed. Replace it? [y/N]')
  person.types('y', 'Enter')
  await person.shows('.codex/skills/holdfast/SKILL.md? [y/N]')
  person.types('C-c')
  expect(await person.exitCode()).toBe('130')
  expect(readFileSync(claudeFile(world), 'utf8')).toContain('Never poll')
  expect(existsSync(join(world.user, '.codex'))).toBe(false)
})

test('ctrl-d is no to this question and to those that follow', async () => {
  const world = await startWorld()
  const person = personAt(world)
  person.runs('skill', 'install', '--agent', 'claude', '--agent', 'codex')
  await person.shows('SKILL.md? [y/N]')
  person.types('C-d')
  expect(await person.exitCode()).toBe('0')
  for (const dir of ['.claude', '.codex']) expect(existsSync(join(world.user, dir))).toBe(false)
})
