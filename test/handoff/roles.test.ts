import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { fileRoles } from '../../src/handoff/roles.ts'
import { fileTrust } from '../../src/system/settings/file-trust.ts'
import { tempDir } from '../helpers/temp-dir.ts'

const FULL = `---
description: Checks Grafana
agent: scripted
model: small
permissions: edit
limits:
  max_duration: 10m
restrictions:
  - No git operations
  - Do not touch src/
---

# Grafana

You check dashboards.

---
Not front matter.
`

function rolesWorld() {
  const dir = tempDir()
  const [project, userDir] = [`${dir}/project`, `${dir}/config`]
  const put = (folder: string, role: string, content: string | Buffer) => {
    const file = `${folder}/${role}/${role}-agent.md`
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }
  const trust = fileTrust(userDir)
  const roles = fileRoles({ userDir, trust })
  const folders = [`${project}/agents`, `${project}/.holdfast/agents`, `${userDir}/agents`] as const
  return {
    dir,
    project,
    trust,
    ofProject: () => roles.ofProject(project),
    put,
    folders,
    load: (role: string) => roles.load(role, project),
    list: () => roles.list(project),
  }
}

test('a role file is its front matter and its persona', async () => {
  const { put, folders, load } = rolesWorld()
  const file = put(folders[0], 'grafana', FULL)
  expect(await load('grafana')).toEqual({
    role: 'grafana',
    file,
    description: 'Checks Grafana',
    agent: 'scripted',
    model: 'small',
    permission: 'edit',
    maxDurationMs: 600_000,
    approval: 'new',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    restrictions: ['No git operations', 'Do not touch src/'],
    persona: '# Grafana\n\nYou check dashboards.\n\n---\nNot front matter.',
    problem: null,
  })
})

test('a file without front matter is all persona', async () => {
  const { put, folders, load } = rolesWorld()
  put(folders[0], 'plain', 'Be kind.\n---\nkey: value\n---\nAlways.\n')
  expect(await load('plain')).toMatchObject({
    persona: 'Be kind.\n---\nkey: value\n---\nAlways.',
    description: '',
    agent: null,
    restrictions: [],
  })
})

test('front matter with Windows line ends, or empty, is front matter', async () => {
  const { put, folders, load } = rolesWorld()
  put(folders[0], 'crlf', '---\r\ndescription: Hi\r\n---\r\nBody\r\n')
  put(folders[0], 'empty', '---\n---\nBody\n')
  expect(await load('crlf')).toMatchObject({ description: 'Hi', persona: 'Body' })
  expect(await load('empty')).toMatchObject({ description: '', persona: 'Body' })
})

test('earlier folders win, and the list shows each role once', async () => {
  const { put, folders, load, list } = rolesWorld()
  for (const [n, folder] of folders.entries()) put(folder, 'both', `---\ndescription: from ${n}\n---\n`)
  put(folders[1], 'second', 'x')
  put(folders[2], 'mine', 'x')
  mkdirSync(`${folders[0]}/no-file`, { recursive: true })
  writeFileSync(`${folders[0]}/README.md`, '')
  expect(await load('both')).toMatchObject({ description: 'from 0' })
  const listed = (await list()).map(({ role, description, problem }) => [role, description, problem])
  expect(listed).toEqual([
    ['both', 'from 0', null],
    ['mine', '', null],
    ['second', '', null],
  ])
})

test('no folders at all is no roles', async () => {
  expect(await rolesWorld().list()).toEqual([])
})

test('an unknown role is named with where it was looked for and a near name', async () => {
  const { put, folders, load } = rolesWorld()
  put(folders[2], 'grafana-validator', 'x')
  const message = `Agent 'grafana-validtor' not found in agents/ (looked in ${folders.join(', ')}). Did you mean 'grafana-validator'?`
  await expect(load('grafana-validtor')).rejects.toMatchObject({ code: 'ROLE_NOT_FOUND', message })
  await expect(load('zzz')).rejects.toMatchObject({ message: expect.not.stringContaining('Did you mean') })
})

test.each(['../x', 'a/b', '', '.hidden', 'a\0b'])('the role name %j is refused', async (role) => {
  await expect(rolesWorld().load(role)).rejects.toMatchObject({ code: 'INVALID_NAME' })
})

test('unknown keys are noted and do no harm', async () => {
  const { put, folders, load, list } = rolesWorld()
  put(folders[0], 'odd', '---\ndescription: Odd\ncolor: red\ntools: [a]\n---\nBody')
  expect(await load('odd')).toMatchObject({ description: 'Odd', persona: 'Body' })
  expect((await list())[0]?.problem).toBe('unknown keys in the front matter: color, tools')
})

const invalid: Record<string, [RegExp, string | Buffer]> = {
  'more than a megabyte': [/too large/, 'x'.repeat(1024 * 1024 + 1)],
  'no UTF-8': [/UTF-8/, Buffer.from([0x61, 0xff])],
  'unclosed front matter': [/no closing/, '---\ndescription: x\n'],
  'broken YAML': [/is not valid/, '---\na: [1\n---\n'],
  'a list as front matter': [/key: value/, '---\n- a\n---\n'],
  'a number as agent': [/agent must be text/, '---\nagent: 3\n---\n'],
  'a map as restrictions': [/restrictions must be a list/, '---\nrestrictions: { a: 1 }\n---\n'],
  'unknown permissions': [
    /permissions must be one of default, read, edit, full/,
    '---\npermissions: all\n---\n',
  ],
  'a map as permissions': [/permissions must be one of/, '---\npermissions: { write: ask }\n---\n'],
  'an unknown limit': [/limits must be .* max_duration/, '---\nlimits: { max_cost: 3 }\n---\n'],
  'a limit that is no duration': [
    /max_duration must be a duration/,
    '---\nlimits: { max_duration: [1] }\n---\n',
  ],
  'a list as limits': [/limits must be/, '---\nlimits: [1]\n---\n'],
  'a YAML bomb': [
    /is not valid/,
    `---\na: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((k, n) => `${k}: &${k} [${Array(9).fill(`*${'abcdefgh'[n]}`).join()}]`).join('\n')}\n---\n`,
  ],
  'deep nesting': [/is not valid/, `---\na: ${'['.repeat(16_000)}\n---\n`],
  'too much front matter': [/longer than 16 KB/, `---\na: ${'['.repeat(200_000)}\n---\n`],
}

test.each(Object.entries(invalid))(
  'a role file with %s is refused, and listed with its problem',
  async (_, [why, content]) => {
    const { put, folders, load, list } = rolesWorld()
    const file = put(folders[0], 'bad', content)
    await expect(load('bad')).rejects.toMatchObject({
      code: 'ROLE_INVALID',
      message: expect.stringMatching(why),
    })
    await expect(load('bad')).rejects.toThrow(file)
    expect(await list()).toMatchObject([{ role: 'bad', file, problem: expect.stringMatching(why) }])
  },
)

test('a role of the user’s own needs no approval; a project’s does, and says so in the list', async () => {
  const { put, folders, load, list, trust, ofProject } = rolesWorld()
  const wide = '---\npermissions: full\n---\nBody'
  const files = [put(folders[0], 'first', wide), put(folders[1], 'second', wide)]
  put(folders[2], 'mine', wide)
  put(folders[0], 'bad', '---\nagent: 3\n---\n')
  expect(await load('mine')).toMatchObject({ approval: 'own', permission: 'full' })
  expect((await ofProject()).map(({ file, approval }) => [file, approval])).toEqual([
    [files[0], 'new'],
    [files[1], 'new'],
  ])
  expect((await list()).filter(({ needsTrust }) => needsTrust).map(({ role }) => role)).toEqual([
    'first',
    'second',
  ])
  const problems = async () =>
    Object.fromEntries((await list()).map(({ role, problem }) => [role, problem])) as Record<string, string>
  expect(await problems()).toMatchObject({
    mine: null,
    first: 'not approved (permissions: full)',
  })
  await trust.approve(files[0]!, (await load('first')).sha256, 'me')
  expect(await load('first')).toMatchObject({ approval: 'approved' })
  expect(await problems()).toMatchObject({ first: null, second: expect.stringContaining('not approved') })
  put(folders[0], 'first', `${wide} changed`)
  expect(await load('first')).toMatchObject({ approval: 'changed' })
  expect((await problems()).first).toContain('changed since it was approved')
})

test('a link that leaves the folder is refused, one inside it is followed', async () => {
  const { dir, put, folders, load } = rolesWorld()
  writeFileSync(`${dir}/secret`, 'secret')
  put(folders[0], 'real', 'Body')
  for (const role of ['out', 'in']) mkdirSync(`${folders[0]}/${role}`)
  symlinkSync(`${dir}/secret`, `${folders[0]}/out/out-agent.md`)
  symlinkSync('../real/real-agent.md', `${folders[0]}/in/in-agent.md`)
  await expect(load('out')).rejects.toMatchObject({
    code: 'ROLE_INVALID',
    message: expect.stringContaining('leads out of its folder'),
  })
  expect(await load('in')).toMatchObject({ persona: 'Body' })
})

test('a linked role directory that leaves the folder is refused', async () => {
  const { dir, put, folders, load } = rolesWorld()
  put(`${dir}/elsewhere`, 'out', 'Body')
  mkdirSync(folders[0], { recursive: true })
  symlinkSync(`${dir}/elsewhere/out`, `${folders[0]}/out`)
  await expect(load('out')).rejects.toMatchObject({ code: 'ROLE_INVALID' })
})
