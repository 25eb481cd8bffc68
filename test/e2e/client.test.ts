// `holdfast/client` as it is built, and as the README shows it.

import { spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../../src/client/node.ts'
import { codeBlockLines, readPage } from '../docs/pages.ts'
import { makeToken, openWeb } from '../helpers/web.ts'
import { finished, startWorld } from '../helpers/world.ts'

const ROOT = join(import.meta.dirname, '../..')

test('the example of the README starts a task and hears of its end', async () => {
  const world = await startWorld()
  await world.ok(['workspace', 'add', world.project])
  mkdirSync(join(world.project, 'node_modules'))
  symlinkSync(ROOT, join(world.project, 'node_modules/holdfast'))
  const file = join(world.project, 'example.mjs')
  writeFileSync(file, codeBlockLines(readPage('README.md'), 'js').join('\n'))
  const said = await finished(spawn(process.execPath, [file], { cwd: world.project, env: world.env }))
  expect({ code: said.code, stderr: said.stderr }).toEqual({ code: 0, stderr: '' })
  expect(said.stdout.trim().split('\n').at(-1)).toBe('task_completed')
})

test('over TCP with a token the same calls work, and errors have code and hint', async () => {
  const world = await startWorld()
  const { address } = await openWeb(world)
  const holdfast = connect({ url: address, token: await makeToken(world) })
  expect(await holdfast.call('GET /api/tasks', { query: {} })).toMatchObject({ tasks: [] })
  await expect(holdfast.call('GET /api/tasks/:id', { id: 'none' })).rejects.toMatchObject({
    code: 'TASK_NOT_FOUND',
    status: 404,
    hint: expect.stringMatching(/\S/),
  })
  const nobody = connect({ url: address })
  await expect(nobody.call('GET /api/health')).rejects.toMatchObject({ code: 'LOGIN_REQUIRED', status: 401 })
})

test('a follower of events misses none when the daemon is killed, and is told of another version', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const versions: string[] = []
  const holdfast = connect({ home: world.home, onOtherVersion: (version) => versions.push(version) })
  const stop = new AbortController()
  const seqs: number[] = []
  let last = ''
  const over = (async () => {
    for await (const { seq, kind, task } of holdfast.events({ from: 'start', signal: stop.signal })) {
      seqs.push(seq)
      if (kind === 'task_completed' && task === last) break
    }
  })()
  await world.untilStatus(await world.run('do: say one'), 'COMPLETED')
  await world.killDaemon()
  last = await world.run('do: wait 1\ndo: say two')
  await over
  expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  expect(versions[0]).toBe((await world.health()).version)
})
