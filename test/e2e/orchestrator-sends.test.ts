// The agent of `orchestrator.role` speaks to the runtimes of its workspace, which it did not start; no other agent may.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RuntimeStartedJson } from '../../src/protocol/json/runtime-json.ts'
import type { ThreadJson } from '../../src/protocol/json/thread-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { CLI, startWorld } from '../helpers/world.ts'

test('the orchestrator sends prompts to runtimes of its workspace alone, and does nothing else to them', async () => {
  const world = await startWorld({ config: 'orchestrator.role: lead\nthread.maxTurns: 1\n' })
  const elsewhere = join(world.root, 'elsewhere')
  mkdirSync(elsewhere)
  const start = (role: string, cwd = world.project) =>
    world.json<RuntimeStartedJson>(['runtime', 'start', role, '--agent', 'scripted'], { cwd })
  await start('lead')
  await start('reviewer')
  await start('tester')
  await start('reviewer', elsewhere)
  const task = await world.run('do: say hello', '--mode', 'interactive')

  /** What the CLI says to the agent that holds this role. */
  const asked = async (role: string, ...commands: string[][]): Promise<string> => {
    const script = join(world.project, `${role}.sh`)
    const line = (words: string[]) =>
      `${[process.execPath, CLI, '--home', world.home, ...words].map((word) => `'${word}'`).join(' ')} >>'${script}.said' 2>&1\n`
    rmSync(`${script}.said`, { force: true })
    writeFileSync(script, `${commands.map(line).join('')}echo over >>'${script}.said'\n`)
    await world.ok(['send', `${role}@project`, `do: run sh ${script}`])
    return await waitFor(
      `${role} to have asked`,
      () => {
        const said = readIfThere(`${script}.said`)
        return said.endsWith('over\n') ? said : undefined
      },
      60_000,
    )
  }

  const lead = await asked(
    'lead',
    ['send', 'reviewer@project', 'do: say reviewed'],
    ['send', 'reviewer@elsewhere', 'do: say elsewhere'],
    ['send', 'lead@project', 'do: say to myself'],
    ['send', task, 'do: say to a task'],
    ['send', 'reviewer@project', 'do: say forced', '--force', '--operator', 'me', '--why', 'now'],
    ['runtime', 'stop', 'reviewer@project'],
  )
  expect(lead.match(/NOT_ALLOWED_FOR_RUN/g)).toHaveLength(5)
  expect(await asked('tester', ['send', 'reviewer@project', 'do: say tested'])).toContain(
    'NOT_ALLOWED_FOR_RUN',
  )

  const { thread_id: thread } = await world.json<ThreadJson>(['thread', 'create', 'in circles'])
  const blocked = await asked(
    'lead',
    ['thread', 'post', thread, 'again'],
    ['send', 'reviewer@project', 'do: say blocked', '--thread', thread],
    ['thread', 'continue', thread],
    ['send', 'reviewer@project', 'do: say continued', '--thread', thread],
  )
  expect(blocked).toContain('a message of agents without progress. The prompt was not sent.')
  expect(blocked).toContain('holdfast thread continue <thread>')

  const heard = () => world.heard().map((one) => one.heard)
  await waitFor('the reviewer', () => heard().some((text) => text.includes('do: say reviewed')), 60_000)
  await waitFor('what came later', () => heard().some((text) => text.includes('do: say continued')), 60_000)
  for (const text of ['elsewhere', 'to myself', 'to a task', 'forced', 'tested', 'blocked'])
    expect(heard().filter((one) => one.includes(`do: say ${text}`))).toEqual([])
  const { entries } = await world.json<{ entries: { actor: string }[] }>([
    ...['audit', '--kind', 'order_refused'],
  ])
  expect(entries.length).toBeGreaterThan(0)

  await world.ok(['runtime', 'stop', 'reviewer@project'])
  const late = await world.cli(['send', 'reviewer@project', 'are you there?'])
  expect(late.stderr).toContain('RUNTIME_STOPPED')
  expect(late.stderr).toContain('Runtime reviewer@project is stopped')
  expect(late.stderr).toContain('holdfast runtime start <role>')
}, 90_000)

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
