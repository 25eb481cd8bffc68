import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { expect, test } from 'vitest'
import { inPhase } from '../builders/phases.ts'
import { moved } from '../builders/task.ts'
import { handoffWorld, info, openFilesOf, text, VIEW_FILES } from './handoff-world.ts'
import { makeFifo } from './make-fifo.ts'

const MINE = 'precious\n'

/** A created task, a file and a directory outside that nobody may touch, and everything we ever write. */
async function attacked() {
  const world = handoffWorld()
  const { handoff, task, dir, originals } = world
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  await handoff.log(task, [info('before')])
  await handoff.appendOutput(task, 0, 'before\n')
  const victim = `${dir}/victim`
  const victimDir = `${dir}/victim-dir`
  mkdirSync(victimDir)
  for (const file of [victim, `${victimDir}/state.json`, `${victimDir}/output.log`]) writeFileSync(file, MINE)
  const writeAll = async () => {
    await handoff.writeState(moved(task, inPhase.working()))
    await handoff.log(task, [info('after')])
    const length = await handoff.appendOutput(task, 7, 'after\n')
    await handoff.writeResult(task, '{"ok":true}')
    await handoff.repair(task)
    return length
  }
  const expectUnharmed = () => {
    expect(text(victim)).toBe(MINE)
    expect(readdirSync(victimDir).sort()).toEqual(['output.log', 'state.json'])
    for (const name of readdirSync(victimDir)) expect(text(`${victimDir}/${name}`)).toBe(MINE)
    expect(JSON.parse(text(`${originals}/state.json`)).status).toBe('RUNNING')
    expect(text(`${originals}/session.log`)).toMatch(/before\n(.*WARN.*\n)?.*after\n/)
    expect(text(`${originals}/output.log`)).toBe('before\nafter\n')
    expect(text(`${originals}/result.json`)).toBe('{"ok":true}')
  }
  return { ...world, victim, victimDir, writeAll, expectUnharmed }
}

const names = [...VIEW_FILES, 'result.json']
const temps = names.map((name) => `.${name}.tmp`)

test.each([...names, ...temps])('a symbolic link as %s is replaced, its target stays', async (name) => {
  const { view, victim, originals, writeAll, expectUnharmed } = await attacked()
  rmSync(`${view}/${name}`, { force: true })
  symlinkSync(victim, `${view}/${name}`)
  await writeAll()
  expectUnharmed()
  for (const file of names) expect(text(`${view}/${file}`)).toBe(text(`${originals}/${file}`))
  for (const file of names) expect(lstatSync(`${view}/${file}`).isFile()).toBe(true)
})

test.each([...names, ...temps])('a hard link as %s is replaced, the file behind it stays', async (name) => {
  const { view, victim, originals, writeAll, expectUnharmed } = await attacked()
  rmSync(`${view}/${name}`, { force: true })
  linkSync(victim, `${view}/${name}`)
  await writeAll()
  expectUnharmed()
  for (const file of names) expect(text(`${view}/${file}`)).toBe(text(`${originals}/${file}`))
})

test.each(['session.log', 'output.log'])('a file moved in as %s is not appended to', async (name) => {
  const { view, dir, originals, writeAll } = await attacked()
  writeFileSync(`${dir}/other`, text(`${view}/${name}`))
  renameSync(`${dir}/other`, `${view}/${name}`)
  const held = openSync(`${view}/${name}`, 'r')
  const before = fstatSync(held).size
  await writeAll()
  expect(fstatSync(held).size).toBe(before)
  closeSync(held)
  expect(text(`${view}/${name}`)).toBe(text(`${originals}/${name}`))
})

test.each(names)('a FIFO as %s blocks nobody', async (name) => {
  const { view, originals, writeAll, expectUnharmed } = await attacked()
  rmSync(`${view}/${name}`, { force: true })
  makeFifo(`${view}/${name}`)
  await writeAll()
  expectUnharmed()
  expect(text(`${view}/state.json`)).toBe(text(`${originals}/state.json`))
})

test.each([...names, ...temps])('a directory as %s stops nothing else', async (name) => {
  const { handoff, task, view, originals, writeAll, expectUnharmed } = await attacked()
  rmSync(`${view}/${name}`, { force: true })
  mkdirSync(`${view}/${name}/inside`, { recursive: true })
  await writeAll()
  await handoff.repair(task)
  expectUnharmed()
  const others = names.filter((file) => !name.includes(file))
  for (const file of others) expect(text(`${view}/${file}`)).toBe(text(`${originals}/${file}`))
  expect(text(`${originals}/session.log`).match(/\[WARN\]/g)?.length ?? 0).toBeLessThanOrEqual(1)
})

const swaps: Record<string, (world: { view: string; project: string; victimDir: string }) => string> = {
  'the directory is a link': ({ view, victimDir }) => {
    renameSync(view, `${view}.aside`)
    symlinkSync(victimDir, view)
    return view
  },
  'the directory is another one': ({ view, victimDir }) => {
    renameSync(view, `${view}.aside`)
    renameSync(victimDir, view)
    symlinkSync(view, victimDir)
    return view
  },
  'the directory is an empty one': ({ view }) => {
    renameSync(view, `${view}.aside`)
    mkdirSync(view)
    return view
  },
  'the directory is a file': ({ view }) => {
    rmSync(view, { recursive: true })
    writeFileSync(view, MINE)
    return view
  },
  '.holdfast is a link': ({ project, victimDir }) => {
    renameSync(`${project}/.holdfast`, `${project}/aside`)
    symlinkSync(victimDir, `${project}/.holdfast`)
    return `${project}/.holdfast`
  },
  '.holdfast is a link to itself, moved': ({ project }) => {
    renameSync(`${project}/.holdfast`, `${project}/aside`)
    symlinkSync('aside', `${project}/.holdfast`)
    return `${project}/.holdfast`
  },
  'sessions is a link': ({ project, victimDir }) => {
    renameSync(`${project}/.holdfast/sessions`, `${project}/aside`)
    symlinkSync(victimDir, `${project}/.holdfast/sessions`)
    return `${project}/.holdfast/sessions`
  },
  'a link points nowhere': ({ view }) => {
    rmSync(view, { recursive: true })
    symlinkSync('/nonexistent', view)
    return view
  },
}

test.each(Object.entries(swaps))(
  'when %s, it is left alone, told once, and rebuilt when it is gone',
  async (_, swap) => {
    const world = await attacked()
    const { handoff, task, home, view, originals, writeAll, expectUnharmed } = world
    const seen = (path: string) =>
      lstatSync(path).isSymbolicLink() ? readlinkSync(path) : lstatSync(path).mtimeMs
    const inTheWay = swap(world)
    const before = seen(inTheWay)
    expect(await writeAll()).toBe(13)
    await writeAll()
    expect(await handoff.readResult(task)).toMatchObject({ kind: 'refused' })
    expect(seen(inTheWay)).toBe(before)
    expectUnharmed()
    for (const log of [`${originals}/session.log`, home.orchestratorLog])
      expect(text(log).match(/\[WARN\]/g)).toHaveLength(1)
    expect(await handoff.logLength(task)).toBe(3)

    rmSync(inTheWay, { recursive: true })
    await handoff.repair(task)
    for (const file of names) expect(text(`${view}/${file}`)).toBe(text(`${originals}/${file}`))
  },
)

test('a directory swapped while the daemon was away is not trusted', async () => {
  const { task, view, restart } = await attacked()
  rmSync(view, { recursive: true })
  mkdirSync(view)
  const later = restart()
  await later.log(task, [info('later')])
  await later.repair(task)
  expect(readdirSync(view)).toEqual([])
  rmSync(view, { recursive: true })
  await later.repair(task)
  expect(readdirSync(view).sort()).toEqual(VIEW_FILES)
})

test('our own directory, moved away and back, goes on being used', async () => {
  const { handoff, task, view, originals } = await attacked()
  renameSync(view, `${view}.aside`)
  symlinkSync('/nonexistent', view)
  await handoff.log(task, [info('away')])
  unlinkSync(view)
  renameSync(`${view}.aside`, view)
  await handoff.log(task, [info('back')])
  expect(text(`${view}/session.log`)).toBe(text(`${originals}/session.log`))
  expect(text(`${view}/session.log`)).toMatch(/away\n(.*WARN.*\n).*back\n$/)
})

const foreign: Record<string, (view: string) => void> = {
  'a directory': (view) => mkdirSync(view, { recursive: true }),
  'a full directory': (view) => mkdirSync(`${view}/sub`, { recursive: true }),
  'a file': (view) => writeFileSync(view, MINE),
  'a link': (view) => symlinkSync('/tmp', view),
  'a dangling link': (view) => symlinkSync('/nonexistent', view),
}

test.each(Object.entries(foreign))(
  'create refuses %s in the way and leaves nothing behind',
  async (_, put) => {
    const { handoff, task, home, project, view, dir } = handoffWorld()
    mkdirSync(`${project}/.holdfast/sessions`, { recursive: true })
    put(view)
    const before = lstatSync(view).mtimeMs
    const fds = openFilesOf({ dir })
    await expect(handoff.create(task, { SECRET: 's' })).rejects.toMatchObject({ code: 'HANDOFF_UNSAFE' })
    expect(lstatSync(view).mtimeMs).toBe(before)
    expect(readdirSync(home.tasks)).toEqual([])
    expect(await handoff.drafts()).toEqual([])
    expect(openFilesOf({ dir })).toBe(fds)
  },
)

test('create refuses a project whose .holdfast is a link', async () => {
  const { handoff, task, dir, home, project } = handoffWorld()
  mkdirSync(`${dir}/elsewhere`)
  symlinkSync(`${dir}/elsewhere`, `${project}/.holdfast`)
  await expect(handoff.create(task, {})).rejects.toMatchObject({ code: 'HANDOFF_UNSAFE' })
  expect(readdirSync(`${dir}/elsewhere`)).toEqual([])
  expect(readdirSync(home.tasks)).toEqual([])
})

test('discard removes our own files only', async () => {
  const { handoff, task, view } = await attacked()
  writeFileSync(`${view}/notes.txt`, MINE)
  await handoff.removeFiles(task)
  expect(readdirSync(view)).toEqual(['notes.txt'])
})

test('discard leaves a swapped directory alone', async () => {
  const { handoff, task, view, victimDir, originals } = await attacked()
  rmSync(view, { recursive: true })
  renameSync(victimDir, view)
  await handoff.removeFiles(task)
  expect(readdirSync(view).sort()).toEqual(['output.log', 'state.json'])
  expect(existsSync(originals)).toBe(false)
})

test('the agent’s result.json is read as it is', async () => {
  const { handoff, task, view } = await attacked()
  expect(await handoff.readResult(task)).toEqual({ kind: 'none' })
  writeFileSync(`${view}/result.json`, '{ "status": "success", "note": "ünï" }\n')
  expect(await handoff.readResult(task)).toEqual({
    kind: 'json',
    text: '{ "status": "success", "note": "ünï" }\n',
  })
})

const refusals: Record<string, [RegExp, (path: string, victim: string) => void]> = {
  'a symbolic link': [/symbolic link/, (path, victim) => symlinkSync(victim, path)],
  'a hard link': [/hard link/, (path, victim) => linkSync(victim, path)],
  'a FIFO': [/regular file/, (path) => makeFifo(path)],
  'a directory': [/regular file/, (path) => mkdirSync(path)],
  'a sparse gigabyte': [
    /too large/,
    (path) => {
      writeFileSync(path, '')
      truncateSync(path, 1024 ** 3)
    },
  ],
  'an empty file': [/not valid JSON/, (path) => writeFileSync(path, '')],
  'half a JSON': [/not valid JSON/, (path) => writeFileSync(path, '{"a":')],
  'no UTF-8': [/UTF-8/, (path) => writeFileSync(path, Buffer.from([0x22, 0xff, 0x22]))],
}

test.each(Object.entries(refusals))('%s as result.json is refused', async (_, [why, put]) => {
  const { handoff, task, view, victim, dir } = await attacked()
  writeFileSync(victim, '"precious"')
  put(`${view}/result.json`, victim)
  const fds = openFilesOf({ dir })
  expect(await handoff.readResult(task)).toEqual({ kind: 'refused', why: expect.stringMatching(why) })
  expect(openFilesOf({ dir })).toBe(fds)
})

test('a result up to the limit is read, one byte more is refused', async () => {
  const { handoff, task, view } = handoffWorld({ resultMaxBytes: 10 })
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  writeFileSync(`${view}/result.json`, '"12345678"')
  expect(await handoff.readResult(task)).toMatchObject({ kind: 'json' })
  writeFileSync(`${view}/result.json`, '"123456789"')
  expect(await handoff.readResult(task)).toMatchObject({ kind: 'refused' })
})

test('a view whose record is torn is left alone until the place is free', async () => {
  const { task, view, originals, restart } = await attacked()
  writeFileSync(`${originals}/view.json`, '{torn')
  const later = restart()
  expect(await later.appendOutput(task, 7, 'after\n')).toBe(13)
  expect(text(`${view}/output.log`)).toBe('before\n')
  rmSync(view, { recursive: true })
  await later.repair(task)
  expect(text(`${view}/output.log`)).toBe('before\nafter\n')
})
