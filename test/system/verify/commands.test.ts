import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseContract } from '../../../src/domain/verify/contract.ts'
import { verifyRunId } from '../../../src/domain/verify/run-id.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { killIfThere } from '../run-world.ts'
import { verifyWorld } from './verify-world.ts'

const node = (script: string) => [process.execPath, '-e', script]

test('a command that exits with 0 passes, and nothing it printed is told', async () => {
  const { verify } = verifyWorld()
  const { verified, checks } = await verify([{ command: ['echo', 'fine'] }])
  expect(verified).toBe(true)
  expect(checks).toEqual([{ check: 'command echo fine', ok: true, why: null, output: '' }])
})

test('a command that fails is told with its code and the end of what it printed on both streams', async () => {
  const { verify } = verifyWorld()
  const { verified, checks } = await verify([
    {
      command: node(
        'console.log("1 failing"); console.error("\\u001b[31mat line 7\\u001b[0m"); process.exit(3)',
      ),
    },
  ])
  expect(verified).toBe(false)
  expect(checks[0]).toMatchObject({ ok: false, why: 'exited with code 3', output: '1 failing\nat line 7' })
})

test('a program that is not there fails the check', async () => {
  const { verify } = verifyWorld()
  const { checks } = await verify([{ command: ['no-such-program-here'] }])
  expect(checks[0]!.why).toBe('exited with code 127: there is no such program')
})

test('words of a command reach it as they are: no shell reads them', async () => {
  const { verify, dir } = verifyWorld()
  const hostile = ['$(touch owned)', '`touch owned`', '; touch owned', '*', '"', "'", '\n', '--', '\u{1f600}']
  const script = 'require("fs").writeFileSync("args", JSON.stringify(process.argv.slice(1)))'
  await verify([{ command: [...node(script), ...hostile.map((word) => `x${word}`)] }])
  expect(JSON.parse(readFileSync(join(dir, 'args'), 'utf8'))).toEqual(hostile.map((word) => `x${word}`))
  expect(readdirSync(dir)).toEqual(['args'])
})

test('a command runs in the directory with the given environment and nothing else', async () => {
  const { verify, dir, root, home } = verifyWorld()
  const script = 'require("fs").writeFileSync("env.json", JSON.stringify(process.env))'
  await verify([{ command: node(script) }], { env: { PATH: process.env.PATH!, NEEDED: 'yes\nand more' } })
  const { PWD, HOLDFAST_RUN, ...env } = JSON.parse(readFileSync(join(dir, 'env.json'), 'utf8'))
  expect(PWD).toBe(dir)
  expect(HOLDFAST_RUN).toMatch(/^v-[0-9a-f]{16}-run-1-1-1$/)
  expect(env).toEqual({
    PATH: `${home.bin}:${process.env.PATH}`,
    NEEDED: 'yes\nand more',
    HOLDFAST_HOME: home.home,
    HOLDFAST_TASK_ID: '20251118-153042-test',
    HOLDFAST_SESSION_DIR: join(root, 'session'),
  })
})

test('a command that hangs is ended with its children, also one with a session of its own', async () => {
  const world = verifyWorld()
  const { checks } = await world.verify([
    {
      command: ['sh', '-c', 'setsid sh -c "trap : TERM INT HUP; while :; do sleep 0.2; done" & sleep 600'],
      timeout: '500ms',
    },
  ])
  expect(checks[0]!.why).toBe('took longer than 500ms and was ended')
  await waitFor('all to be gone', () => world.left().length === 0)
})

test('what a good command leaves in the background is ended too', async () => {
  const world = verifyWorld()
  const { verified } = await world.verify([
    { command: ['sh', '-c', 'setsid sleep 600 >/dev/null 2>&1 & exit 0'] },
  ])
  expect(verified).toBe(true)
  await waitFor('all to be gone', () => world.left().length === 0)
})

test('of a command that prints 100 MB only the end is read', async () => {
  const { verify } = verifyWorld()
  const { checks } = await verify([
    { command: ['sh', '-c', 'head -c 100000000 /dev/zero | tr "\\0" x; echo; echo the end; exit 1'] },
  ])
  expect(checks[0]!.output).toBe('the end')
})

test('of a line that is longer than what is told, nothing is told: it may begin within a secret', async () => {
  const { verify } = verifyWorld()
  const script = 'process.stdout.write("token=" + "hunter2".repeat(2000)); process.exit(1)'
  const { checks } = await verify([{ command: node(script) }])
  expect(checks[0]!.output).toBe('')
})

test('secrets are taken out of what is told', async () => {
  const { verify } = verifyWorld()
  const { checks } = await verify([
    { command: ['sh', '-c', 'echo api_key=hunter2hunter2; echo ghp_abcdefghijklmnopqrstuvwxyz; exit 1'] },
  ])
  expect(checks[0]!.output).toBe('api_key=[redacted]\n[redacted]')
})

test('all checks are done in their order, also after a failure', async () => {
  const { verify } = verifyWorld()
  const { checks } = await verify([
    { file: 'made.txt' },
    { command: ['touch', 'made.txt'] },
    { file: 'made.txt' },
  ])
  expect(checks.map(({ ok }) => ok)).toEqual([false, true, true])
})

const onceAtATime = `
  const fs = require('fs')
  fs.mkdirSync('busy')
  fs.appendFileSync('starts', 'x')
  while (!fs.existsSync('go')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  fs.rmdirSync('busy')`

test('a daemon that comes back waits for the command that an earlier one started', async () => {
  const world = verifyWorld()
  const checks = [{ command: node(onceAtATime) }]
  void world.verify(checks).catch(() => {})
  await waitFor('its start', () => existsSync(join(world.dir, 'starts')))
  const again = world.newVerifier().verify(parseContract(checks), world.subject())
  writeFileSync(join(world.dir, 'go'), '')
  expect((await again).verified).toBe(true)
  expect(readFileSync(join(world.dir, 'starts'), 'utf8')).toBe('x')
})

test('a daemon that comes back after the end takes the exit record for it', async () => {
  const world = verifyWorld()
  const checks = [{ command: ['sh', '-c', 'echo x >>starts; exit 4'] }]
  await world.verify(checks)
  const { checks: told } = await world.newVerifier().verify(parseContract(checks), world.subject())
  expect(told[0]!.why).toBe('exited with code 4')
  expect(readFileSync(join(world.dir, 'starts'), 'utf8')).toBe('x\n')
})

test('a command whose keeper and process were killed is started again, once', async () => {
  const world = verifyWorld()
  const verified = world.verify([{ command: ['sh', '-c', 'echo x >>starts; [ -e go ] || sleep 600'] }])
  await waitFor('its start', () => existsSync(join(world.dir, 'starts')))
  writeFileSync(join(world.dir, 'go'), '')
  for (const pid of world.left()) killIfThere(pid)
  expect((await verified).verified).toBe(true)
  expect(readFileSync(join(world.dir, 'starts'), 'utf8')).toBe('x\nx\n')
})

test('a claim that no process followed is voided, and the command starts under the next number', async () => {
  const world = verifyWorld()
  const { subject, dir } = world
  const id = verifyRunId(subject().whose, 'run-1', 1, 1)
  await world.runFiles.claim(id)
  const { verified } = await world.verify([{ command: ['touch', 'made'] }])
  expect(verified).toBe(true)
  expect(existsSync(join(dir, 'made'))).toBe(true)
})

test('two verifications of one task take turns; the same one is done once', async () => {
  const world = verifyWorld()
  writeFileSync(join(world.dir, 'go'), '')
  const checks = [{ command: node(onceAtATime) }]
  const all = await Promise.all([
    world.verify(checks),
    world.verify(checks),
    world.verify(checks, { name: 'by-hand' }),
  ])
  expect(all.map(({ verified }) => verified)).toEqual([true, true, true])
  expect(readFileSync(join(world.dir, 'starts'), 'utf8')).toBe('xx')
})

test('a verification that an earlier daemon left under another name is ended first', async () => {
  const world = verifyWorld()
  const hanging = [{ command: ['sh', '-c', 'echo $$ >pid.new; mv pid.new pid; exec sleep 600'] }]
  void world.verify(hanging, { name: 'by-hand' }).catch(() => {})
  await waitFor('its start', () => existsSync(join(world.dir, 'pid')))
  const isGone = parseContract([{ command: ['sh', '-c', '! kill -0 $(cat pid)'] }])
  expect((await world.newVerifier().verify(isGone, world.subject())).verified).toBe(true)
})

test('when it is called off, its command ends and nothing is left', async () => {
  const world = verifyWorld()
  const off = new AbortController()
  const verified = world.verify([{ command: ['sh', '-c', 'touch begun; sleep 600'] }], {}, off.signal)
  await waitFor('its start', () => existsSync(join(world.dir, 'begun')))
  off.abort()
  await expect(verified).rejects.toThrow()
  await waitFor('all to be gone', () => world.left().length === 0)
})

test('the exit record of a command that is called off comes late, and is forgotten all the same', async () => {
  const recording = { mv: 'sleep 0.3; exec /bin/mv "$@"' }
  const { verify, verifier, dir, home, root, left } = verifyWorld({ programs: recording })
  const controller = new AbortController()
  const called = verify([{ command: ['sh', '-c', 'touch begun; sleep 600'] }], {}, controller.signal)
  await waitFor('the command', () => existsSync(join(dir, 'begun')))
  controller.abort()
  await expect(called).rejects.toThrow()
  await verifier.forget(root, 'run-1')
  await waitFor('its keeper to end', () => left().length === 0)
  expect([...readdirSync(home.runs), ...readdirSync(home.exits)]).toEqual([])
})

test('once it is forgotten nothing of it lies in the home', async () => {
  const world = verifyWorld()
  await world.verify([{ command: ['true'] }])
  expect(readdirSync(world.home.runs)).toHaveLength(1)
  await world.verifier.forget(world.subject().whose, 'run-1')
  expect([...readdirSync(world.home.runs), ...readdirSync(world.home.exits)]).toEqual([])
})

test('a starting daemon ends and forgets all verifications but those that go on', async () => {
  const world = verifyWorld()
  await world.verify([{ command: ['true'] }])
  await world.verify([{ command: ['true'] }], { whose: `${world.root}/another` })
  await world.newVerifier().forgetOthers([{ whose: `${world.root}/another`, name: 'run-1' }])
  expect(readdirSync(world.home.runs)).toEqual([verifyRunId(`${world.root}/another`, 'run-1', 1, 1)])
})
