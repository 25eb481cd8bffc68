import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { homePaths } from '../../../src/domain/names/home.ts'
import { asRunId, type RunId } from '../../../src/domain/names/ids.ts'
import { FileRunFiles } from '../../../src/system/run-files/file-run-files.ts'
import { childNames, parentOf } from '../../helpers/process-tree.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { runWorld, SHIM } from '../run-world.ts'

const mode = (path: string) => lstatSync(path).mode & 0o777
const nobody = asRunId('nobody-1')
const mayMount = process.getuid?.() === 0 && mounts()

describe('preparing a run', () => {
  test('writes everything the shim needs, for us alone, and no secret into launch.json', async () => {
    const world = runWorld()
    const launch = world.launch(['agent', '--flag'], { stdin: 'do it', env: { TOKEN: 'secret' } })
    const argv = await world.files.prepare(launch)
    const directory = world.home.run(launch.runId)
    expect(argv).toEqual([
      'sh',
      `${directory}/shim`,
      'pane',
      directory,
      launch.outputLog,
      '--',
      'agent',
      '--flag',
    ])
    expect(readFileSync(`${directory}/shim`, 'utf8')).toBe(readFileSync(SHIM, 'utf8'))
    expect(readFileSync(`${directory}/prompt`, 'utf8')).toBe('do it')
    expect(readFileSync(`${directory}/launch.json`, 'utf8')).not.toContain('secret')
    const names = [
      'env',
      'events.jsonl',
      'launch.json',
      'output.log',
      'pid.new',
      'prompt',
      'shim',
      'stderr.log',
    ]
    expect(readdirSync(directory)).toEqual(names)
    for (const name of names.filter((each) => each !== 'output.log'))
      expect(mode(`${directory}/${name}`)).toBe(0o600)
    expect([world.home.runs, world.home.exits, directory].map(mode)).toEqual([0o700, 0o700, 0o700])
  })

  test.each([
    ['lines', 'pane', ['env', 'events.jsonl', 'feeder', 'in.jsonl', 'launch.json']],
    ['terminal', 'tty', ['env', 'events.jsonl', 'in.jsonl', 'launch.json']],
  ] as const)('for %s, stdin is the beginning of the input', async (hearing, stage, names) => {
    const world = runWorld()
    const launch = world.launch(['agent'], { hearing, stdin: 'first\n' })
    expect((await world.files.prepare(launch))[2]).toBe(stage)
    const directory = world.home.run(launch.runId)
    expect(readdirSync(directory)).toEqual([...names, 'output.log', 'pid.new', 'shim', 'stderr.log'])
    expect(readFileSync(world.files.inputFile(launch.runId), 'utf8')).toBe('first\n')
    expect(mode(world.files.inputFile(launch.runId))).toBe(0o600)
    expect(JSON.parse(readFileSync(`${directory}/launch.json`, 'utf8'))).toMatchObject({ hearing })
    expect(await world.files.feeder(launch.runId)).toBeUndefined()
  })

  test('twice is the same as once', async () => {
    const world = runWorld()
    const launch = world.launch(['true'])
    const argv = await world.files.prepare(launch)
    const inode = statSync(world.home.run(launch.runId)).ino
    writeFileSync(`${world.home.run(launch.runId)}/events.jsonl`, 'said\n')
    expect(await world.files.prepare(launch)).toEqual(argv)
    expect(statSync(world.home.run(launch.runId)).ino).toBe(inode)
    expect(await world.events(launch.runId)).toBe('said\n')
    expect(readdirSync(world.home.runs)).toEqual([launch.runId])
  })

  test('replaces what a killed daemon left half-written', async () => {
    const world = runWorld()
    const launch = world.launch(['true'])
    mkdirSync(`${world.home.runs}/.${launch.runId}.tmp/claim`, { recursive: true, mode: 0o700 })
    await world.files.prepare(launch)
    expect(existsSync(`${world.home.run(launch.runId)}/claim`)).toBe(false)
    expect(readdirSync(world.home.runs)).toEqual([launch.runId])
  })

  test.each([
    ['a variable no shell can set', { env: { UID: '0' } }, 'INVALID_NAME'],
    ['a variable of the shim itself', { env: { hf_run: '/' } }, 'INVALID_NAME'],
    ['a variable with a strange name', { env: { 'A-B\n': '' } }, 'INVALID_NAME'],
    ['a NUL in a value', { env: { A: 'a\0b' } }, 'INVALID_REQUEST'],
    ['a value larger than the kernel takes', { env: { A: 'x'.repeat(131_070) } }, 'INVALID_REQUEST'],
    ['no command', { argv: [] }, 'INVALID_REQUEST'],
    ['a command that is an option', { argv: ['-c', 'x'] }, 'INVALID_REQUEST'],
    ['a NUL in an argument', { argv: ['a', 'b\0c'] }, 'INVALID_REQUEST'],
    ['a run id that leaves the home', { runId: asRunId('../../etc') }, 'INVALID_ID'],
  ])('refuses %s and leaves nothing behind', async (_what, wrong, code) => {
    const world = runWorld()
    await expect(world.files.prepare(world.launch(['true'], wrong))).rejects.toMatchObject({ code })
    expect(existsSync(world.home.runs)).toBe(false)
  })

  test('takes the largest value the kernel takes', async () => {
    const world = runWorld()
    const env = { PATH: process.env.PATH ?? '', A: 'x'.repeat(131_069) }
    const { runId } = await world.run(['sh', '-c', 'printf %s "$A" | wc -c'], { env })
    expect(await world.exited(runId)).toMatchObject({ code: 0 })
    expect(await world.events(runId)).toBe('131069\n')
  })
})

describe('what a run is told', () => {
  const LINE = '{"say":"äß漢🦊"}\n'
  const SIZE = Buffer.byteLength(LINE)
  const told = async (stdin = 'one\n') => {
    const { files, launch } = runWorld()
    const { runId } = launch([])
    await files.prepare(launch(['true'], { runId, hearing: 'lines', stdin }))
    return {
      files,
      runId,
      path: files.inputFile(runId),
      text: () => readFileSync(files.inputFile(runId), 'utf8'),
    }
  }

  test('a line that was written in part is completed, byte for byte, and not said twice', async () => {
    for (let cut = 0; cut <= SIZE; cut++) {
      const { files, runId, path, text } = await told()
      appendFileSync(path, Buffer.from(LINE).subarray(0, cut))
      await files.writeInput(runId, 4, LINE)
      await files.writeInput(runId, 4, LINE)
      expect(text()).toBe(`one\n${LINE}`)
    }
  })

  test('a line before others is left as it is', async () => {
    const { files, runId, text } = await told()
    await files.writeInput(runId, 4, LINE)
    await files.writeInput(runId, 4 + SIZE, 'three\n')
    await files.writeInput(runId, 4, LINE)
    expect(text()).toBe(`one\n${LINE}three\n`)
  })

  test('a gap before a line is refused, with both numbers', async () => {
    const { files, runId, text } = await told()
    await expect(files.writeInput(runId, 99, LINE)).rejects.toThrow(/\b4 bytes\b.*\b99\b/)
    expect(text()).toBe('one\n')
  })

  test.each([
    ['a link', (path: string) => symlinkSync('/dev/null', path)],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['nothing', () => {}],
  ])('%s in place of the input is refused at once', async (_what, put) => {
    const { files, runId, path } = await told()
    rmSync(path)
    put(path)
    await expect(files.writeInput(runId, 0, LINE)).rejects.toThrow()
  })

  test.skipIf(!mayMount)('a line cut short by a full disk is completed when there is room', async () => {
    const root = tempDir()
    mountSmall(root)
    const files = new FileRunFiles({
      home: homePaths(`${root}/h`),
      shimSource: SHIM,
      ownCommand: [process.execPath, 'cli.cjs'],
    })
    const launch = runWorld().launch(['true'], { hearing: 'lines' })
    await files.prepare(launch)
    fillUp(root)
    rmSync(`${root}/fill-0`)
    const line = `${'x🦊'.repeat(2000)}\n`
    await expect(files.writeInput(launch.runId, 0, line)).rejects.toMatchObject({ code: 'DISK_FULL' })
    expect(statSync(files.inputFile(launch.runId)).size).toBe(4096)
    rmSync(`${root}/fill-1`)
    rmSync(`${root}/fill-2`)
    await files.writeInput(launch.runId, 0, line)
    expect(readFileSync(files.inputFile(launch.runId), 'utf8')).toBe(line)
  })
})

describe('calling a run off', () => {
  test('an agent’s settings lie in the run directory, for us alone, and go with its secrets', async () => {
    const world = runWorld('dash')
    const launch = world.launch(['true'], { files: [{ name: 'settings.json', content: '{"a":1}' }] })
    await world.files.prepare(launch)
    const file = `${world.files.filesDir(launch.runId)}/settings.json`
    expect(readFileSync(file, 'utf8')).toBe('{"a":1}')
    expect(mode(file)).toBe(0o600)
    await world.files.forgetSecrets(launch.runId)
    expect(existsSync(file)).toBe(false)
  })

  test('one claim wins', async () => {
    const world = runWorld()
    const { runId } = world.launch(['true'])
    await world.files.prepare(world.launch(['true'], { runId }))
    const claims = await Promise.all([1, 2, 3, 4].map(() => world.files.claim(runId)))
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  test('a run claimed before it was prepared cannot be started by preparing it later', async () => {
    const world = runWorld()
    const launch = world.launch(['touch', 'ran'])
    expect(await world.files.claim(launch.runId)).toBe(true)
    const pane = world.start(await world.files.prepare(launch))
    await waitFor('the pane to end', () => pane.exitCode !== null)
    expect(pane.exitCode).not.toBe(0)
    expect(existsSync(`${world.work}/ran`)).toBe(false)
    expect(readdirSync(world.home.run(launch.runId))).toEqual(['claim'])
  })

  test('voiding a start is for ever, and may be asked again after a crash', async () => {
    const world = runWorld()
    const { runId } = world.launch(['true'])
    expect(await world.files.voidStart(runId)).toBe(true)
    expect(await world.files.voidStart(runId)).toBe(true)
    expect(await world.files.started(runId)).toBeUndefined()
    expect(readdirSync(world.home.run(runId))).toEqual(['pid'])
  })

  test('a run that has started cannot be voided', async () => {
    const world = runWorld()
    const { runId } = await world.run(['sleep', '60'])
    const start = await world.started(runId)
    expect(await world.files.claim(runId)).toBe(false)
    expect(await world.files.voidStart(runId)).toBe(false)
    expect(await world.files.started(runId)).toEqual(start)
  })

  test('when a run began is known from then on, also long after', async () => {
    const world = runWorld()
    const before = Date.now() - 20
    const { runId } = await world.run(['true'])
    await waitFor('its end', () => world.files.exit(runId))
    const after = Date.now()
    const at = (await world.files.startedAt(runId))!
    expect(at).toBeGreaterThanOrEqual(before)
    expect(at).toBeLessThanOrEqual(after)
    expect(await world.files.startedAt(world.launch(['true']).runId)).toBeUndefined()
  })
})

describe('what a run left behind', () => {
  const recordOf = (record: object) =>
    JSON.stringify({ at: 1000, boot_id: 'b', code: 0, signal: null, ...record })
  test.each([
    ['is empty', ''],
    ['is cut off', recordOf({}).slice(0, -5)],
    ['is no object', '7'],
    ['is null', 'null'],
    ['has neither code nor signal', recordOf({ code: null })],
    ['has both', recordOf({ signal: 'KILL' })],
    ['has an impossible code', recordOf({ code: 256 })],
    ['has a strange signal', recordOf({ code: null, signal: '<b>' })],
    ['has no time', recordOf({ at: 'now' })],
    ['has no boot', recordOf({ boot_id: null })],
  ])('an exit record that %s is none', async (_what, text) => {
    const { files, home } = runWorld()
    mkdirSync(home.exits, { recursive: true })
    writeFileSync(`${home.exits}/${nobody}.json`, text)
    expect(await files.exit(nobody)).toBeUndefined()
  })

  test('lists runs with an exit record, and nothing else that lies there', async () => {
    const { files, home } = runWorld()
    expect(await files.exits()).toEqual([])
    mkdirSync(home.exits, { recursive: true })
    for (const name of ['run-1.json', '.run-2.tmp', 'Run.json', 'run-3.json.bak'])
      writeFileSync(`${home.exits}/${name}`, '')
    expect(await files.exits()).toEqual(['run-1'])
  })

  test('events are read in parts; beyond the end there is nothing but the size', async () => {
    const world = runWorld()
    const { runId } = await world.run(['printf', '0123456789'])
    await world.exited(runId)
    const part = async (offset: number, most: number) => {
      const { bytes, size } = await world.files.readEvents(runId, offset, most)
      return [Buffer.from(bytes).toString(), size]
    }
    expect(await part(0, 4)).toEqual(['0123', 10])
    expect(await part(8, 4)).toEqual(['89', 10])
    expect(await part(10, 4)).toEqual(['', 10])
    expect(await part(99, 4)).toEqual(['', 10])
    expect(await world.files.readEvents(nobody, 0, 4)).toEqual({
      bytes: new Uint8Array(),
      size: 0,
      gone: true,
    })
  })

  test('events are read from a byte to their end, also when the run was shrunk and they are packed', async () => {
    const world = runWorld()
    const { runId } = await world.run(['printf', '0123456789'])
    await world.exited(runId)
    const long = 'x'.repeat(1024 ** 2)
    await world.files.appendEvents(runId, long)
    const from = async (id: RunId, offset: number) => {
      const parts: Uint8Array[] = []
      for await (const bytes of world.files.eventsFrom(id, offset)) parts.push(bytes)
      return Buffer.concat(parts).toString()
    }
    const whole = `0123456789\n${long}`
    const offsets = [0, 8, whole.length, whole.length + 1]
    for (const offset of offsets) expect(await from(runId, offset)).toBe(whole.slice(offset))
    await world.files.shrink(runId)
    expect(existsSync(world.files.eventsFile(runId))).toBe(false)
    for (const offset of offsets) expect(await from(runId, offset)).toBe(whole.slice(offset))
    expect(await from(nobody, 0)).toBe('')
  })

  test('neither a pipe nor a link in place of the events blocks or misleads', async () => {
    const { files, home } = runWorld()
    mkdirSync(home.run(nobody), { recursive: true })
    execFileSync('mkfifo', [`${home.run(nobody)}/events.jsonl`])
    symlinkSync('/etc/passwd', `${home.run(nobody)}/stderr.log`)
    expect((await files.readEvents(nobody, 0, 10)).size).toBe(0)
    expect(await files.stderrTail(nobody, 10)).toBe('')
  })

  test('the tail of stderr is capped and never begins with half a character', async () => {
    const world = runWorld()
    const { runId } = await world.run(['sh', '-c', 'printf "first 🦊🦊 last" >&2'])
    await world.exited(runId)
    expect(await world.files.stderrTail(runId, 10_000)).toBe('first 🦊🦊 last')
    expect(await world.files.stderrTail(runId, 11)).toBe('🦊 last')
    expect(await world.files.stderrTail(nobody, 10)).toBe('')
  })

  test('the tail of stderr has no colours', async () => {
    const world = runWorld()
    const { runId } = await world.run(['sh', '-c', 'printf "\\033[2mnow\\033[0m \\033[31mERROR\\033[0m" >&2'])
    await world.exited(runId)
    expect(await world.files.stderrTail(runId, 10_000)).toBe('now ERROR')
  })

  test('what it wrote is told in bytes, events and stderr together; what a link leads to is not its own', async () => {
    const { files, home } = runWorld()
    expect(files.written(nobody)).toBe(0)
    mkdirSync(home.run(nobody), { recursive: true })
    appendFileSync(`${home.run(nobody)}/stderr.log`, '🦊')
    expect(files.written(nobody)).toBe(4)
    appendFileSync(files.eventsFile(nobody), '{}\n')
    expect(files.written(nobody)).toBe(7)
    writeFileSync(`${home.home}/large`, 'x'.repeat(1000))
    rmSync(files.eventsFile(nobody))
    symlinkSync(`${home.home}/large`, files.eventsFile(nobody))
    expect(files.written(nobody)).toBeLessThan(1000)
  })

  test('secrets can be forgotten, twice, also those of a half-written directory', async () => {
    const world = runWorld()
    const launch = world.launch(['true'], { env: { TOKEN: 'secret' } })
    await world.files.prepare(launch)
    mkdirSync(`${world.home.runs}/.${launch.runId}.tmp`)
    await world.files.forgetSecrets(launch.runId)
    await world.files.forgetSecrets(launch.runId)
    expect(() => execFileSync('grep', ['-r', 'secret', world.home.home])).toThrow()
    expect(readdirSync(world.home.runs)).toEqual([launch.runId])
  })
})

describe('watching', () => {
  const watched = (files: FileRunFiles) => {
    const seen: RunId[] = []
    onTestFinished(files.watchExits((runId) => seen.push(runId)))
    return seen
  }

  test('tells of an exit record when it appears', async () => {
    const world = runWorld()
    mkdirSync(world.home.home, { mode: 0o700 })
    const seen = watched(world.files)
    const read: unknown[] = []
    onTestFinished(world.files.watchExits(async (runId) => read.push(await world.files.exit(runId))))
    const { runId } = await world.run(['true'])
    // The first news may come before the record is written, the last may not.
    await waitFor('news of the whole record', () => read.at(-1))
    expect(read.at(-1)).toMatchObject({ code: 0 })
    expect(new Set(seen)).toEqual(new Set([runId]))
  })

  test('goes on after the directory was deleted, and tells what came meanwhile', async () => {
    const { files, home } = runWorld()
    mkdirSync(home.home)
    const seen = watched(files)
    rmSync(home.exits, { recursive: true })
    mkdirSync(home.exits)
    writeFileSync(`${home.exits}/meanwhile.json`, '')
    await waitFor('what came meanwhile', () => seen.includes(asRunId('meanwhile')))
    writeFileSync(`${home.exits}/later.json`, '')
    await waitFor('what came later', () => seen.includes(asRunId('later')))
  })

  test('makes the directory anew when nobody else does', async () => {
    const { files, home } = runWorld()
    mkdirSync(home.home)
    watched(files)
    rmSync(home.exits, { recursive: true })
    await waitFor('the directory', () => existsSync(home.exits))
  })

  test('starts as soon as the home exists', async () => {
    const { files, home } = runWorld()
    const seen = watched(files)
    mkdirSync(home.exits, { recursive: true })
    writeFileSync(`${home.exits}/early.json`, '')
    await waitFor('the first news', () => seen.includes(asRunId('early')))
  })

  test('tells of every change in a run directory, until it is ended', async () => {
    const world = runWorld()
    const launch = world.launch(['echo', 'hi'])
    const argv = await world.files.prepare(launch)
    let changes = 0
    const end = world.files.watchRun(launch.runId, () => changes++)
    world.start(argv)
    await world.exited(launch.runId)
    await waitFor('news', () => changes > 0)
    end()
    expect(existsSync(`${world.home.run(launch.runId)}/pid`)).toBe(true)
  })
})

describe('a disk that refuses', () => {
  test.skipIf(!mayMount)(
    'full: prepare says so and leaves nothing, the exit record comes whole when there is room',
    async () => {
      const root = tempDir()
      mountSmall(root)
      const home = homePaths(`${root}/h`)
      const files = new FileRunFiles({ home, shimSource: SHIM, ownCommand: [process.execPath, 'cli.cjs'] })
      const world = runWorld()
      const launch = world.launch(['true'], { stdin: 'x'.repeat(1_000_000) })
      await expect(files.prepare(launch)).rejects.toMatchObject({ code: 'DISK_FULL' })
      expect(readdirSync(home.runs)).toEqual([])

      const small = world.launch(['sh', '-c', 'until [ -e go ]; do sleep 0.02; done'], { cwd: root })
      const pane = world.start(await files.prepare(small))
      onTestFinished(() => void process.kill(-pane.pid!, 'SIGKILL'))
      const { pid } = await waitFor('the start', () => files.started(small.runId))
      const keeper = parentOf(pid)
      const makeRoom = fillUp(root)
      writeFileSync(`${root}/go`, '')
      await waitFor('the keeper to have no room for the record', () => childNames(keeper).includes('sleep'))
      expect(await files.canRecordExit()).toBe(false)
      expect(await files.exits()).toEqual([])
      expect(await files.exit(small.runId)).toBeUndefined()
      makeRoom()
      expect(await files.canRecordExit()).toBe(true)
      expect(await waitFor('the record', () => files.exit(small.runId))).toMatchObject({ late: true })
    },
  )

  test('in the way: a home that is a file is told, not hidden', async () => {
    const world = runWorld()
    writeFileSync(world.home.home, '')
    await expect(world.files.prepare(world.launch(['true']))).rejects.toThrow()
  })
})

function mounts(): boolean {
  const root = execFileSync('mktemp', ['-d']).toString().trim()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', root], { stdio: 'ignore' })
    execFileSync('umount', [root])
    return true
  } catch {
    console.warn('No tmpfs can be mounted here: the full disk is not tested.')
    return false
  } finally {
    rmSync(root, { recursive: true })
  }
}

function mountSmall(root: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', root])
  onTestFinished(() => void execFileSync('umount', ['-l', root]))
}

/** Returns how to make room again. */
function fillUp(root: string): () => void {
  const parts: string[] = []
  try {
    for (;;) writeFileSync(parts[parts.push(`${root}/fill-${parts.length}`) - 1]!, 'x'.repeat(4096))
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  }
  return () => {
    for (const part of parts) rmSync(part)
  }
}
