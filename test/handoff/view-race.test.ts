import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { handoffWorld, info, openFilesOf, text, VIEW_FILES } from './handoff-world.ts'

const WRITES = 300
const PRECIOUS = { 'state.json': 'precious\n', 'session.log': 'precious\n', 'output.log': 'precious\n' }

/** A process that attacks until it is stopped; `rounds` tells how often it did. */
function attack(how: string, view: string, victimDir: string) {
  const script = new URL('attacker.mjs', import.meta.url).pathname
  const child = spawn(process.execPath, [script, how, view, victimDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const over = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  let rounds = 0
  child.stdout.on('data', (dots) => {
    rounds += 20 * dots.length
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await over
  }
  return { rounds: () => rounds, stop }
}

test.each(['swap', 'delete', 'files'])(
  'while another process attacks (%s), nobody is harmed and the originals are complete',
  async (how) => {
    const { handoff, task, dir, view, originals } = handoffWorld()
    const victimDir = `${dir}/victim`
    mkdirSync(victimDir)
    for (const [name, content] of Object.entries(PRECIOUS)) writeFileSync(`${victimDir}/${name}`, content)
    await handoff.create(task, {})
    await handoff.finishDraft(task)
    const fds = openFilesOf({ dir })
    const attacker = attack(how, view, victimDir)
    await waitFor('the attack to begin', () => attacker.rounds() > 0)

    let length = 0
    for (let n = 0; n < WRITES; n++) {
      length = await handoff.appendOutput(task, length, `output ${n}\n`)
      await handoff.log(task, [info(`line ${n}`)])
      await handoff.writeState({ ...task, reason: `state ${n}` })
      if (n % 10 === 0) await handoff.repair(task)
    }
    await waitFor('some more rounds', () => attacker.rounds() > 40)
    await attacker.stop()

    expect(readdirSync(victimDir).sort()).toEqual(Object.keys(PRECIOUS).sort())
    for (const [name, content] of Object.entries(PRECIOUS)) expect(text(`${victimDir}/${name}`)).toBe(content)
    const numbers = Array.from({ length: WRITES }, (_, n) => n)
    expect(text(`${originals}/output.log`)).toBe(numbers.map((n) => `output ${n}\n`).join(''))
    expect(text(`${originals}/session.log`).match(/line \d+/g)).toEqual(numbers.map((n) => `line ${n}`))
    expect(await handoff.logLength(task)).toBe(WRITES)
    expect(JSON.parse(text(`${originals}/state.json`)).reason).toBe(`state ${WRITES - 1}`)

    rmSync(`${view}.aside`, { recursive: true, force: true })
    rmSync(view, { recursive: true, force: true })
    await handoff.repair(task)
    for (const name of VIEW_FILES) expect(text(`${view}/${name}`)).toBe(text(`${originals}/${name}`))
    for (const name of VIEW_FILES) expect(statSync(`${view}/${name}`).nlink).toBe(1)
    expect(openFilesOf({ dir })).toBeLessThanOrEqual(fds)
  },
  120_000,
)
