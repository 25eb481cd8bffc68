// What the page asks beside the other surfaces: the end of a long output, and what an agent changed.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ChangesJson, FileDiffJson } from '../../src/protocol/json/changes-json.ts'
import type { ReportJson } from '../../src/protocol/json/report-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

type Answer = { status: number; body: string; from: string | undefined }

const get = (world: World, path: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request({ socketPath: join(world.home, 'daemon.sock'), path }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text) => (body += text))
      const from = response.headers['x-holdfast-from'] as string | undefined
      response.on('end', () => resolve({ status: response.statusCode!, body, from }))
    })
      .on('error', reject)
      .end()
  })

test('the end of an output, and any part of it, can be asked for without the rest', async () => {
  const world = await startWorld()
  const id = await world.run('do: flood 300000\ndo: finish the last words')
  await world.ok(['logs', id, '-f'])
  const whole = (await get(world, `/api/tasks/${id}/output`)).body
  const end = await get(world, `/api/tasks/${id}/output?last=40`)
  expect(end).toMatchObject({ body: whole.slice(-40), from: String(whole.length - 40) })
  const part = await get(world, `/api/tasks/${id}/output?from=1000&most=500`)
  expect(part).toMatchObject({ body: whole.slice(1000, 1500), from: '1000' })
  expect((await get(world, `/api/tasks/${id}/output?last=99999999`)).body).toBe(whole)
  expect((await get(world, `/api/tasks/${id}/output?last=-1`)).status).toBe(400)
  expect((await get(world, `/api/tasks/${id}/raw?last=10`)).status).toBe(400)
})

test('the events of a session that goes on can be read without waiting for its end', async () => {
  const world = await startWorld()
  const id = await world.run('do: hang')
  const read = () => get(world, `/api/tasks/${id}/events?follow=0`)
  await waitFor('its agent to start', async () => (await read()).body.includes('event: task_agent_started'))
})

test('what an agent changed is told against the state at the beginning, and no other file can be read', async () => {
  const world = await startWorld()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: world.project,
    })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'begin')
  writeFileSync(join(world.project, 'mine.txt'), 'differed before\n')
  const id = await world.run('do: wait 1\ndo: write made.txt hello\ndo: finish ok')
  await world.ok(['logs', id, '-f'])
  const changes = JSON.parse((await get(world, `/api/tasks/${id}/changes`)).body) as ChangesJson
  expect(changes.state).toBe('known')
  expect(changes.files.map(({ path, kind }) => [path, kind])).toEqual([['made.txt', 'added']])
  const diff = JSON.parse((await get(world, `/api/tasks/${id}/diff?path=made.txt`)).body) as FileDiffJson
  expect(diff.diff).toContain('+hello')
  const report = await world.json<ReportJson>(['report', id])
  expect(report.changes).toMatchObject({ files: changes.files, patch: diff.diff, why_unknown: null })
  for (const path of ['mine.txt', '/etc/passwd', '../h/config.yaml', '--output=x', ''])
    expect((await get(world, `/api/tasks/${id}/diff?path=${encodeURIComponent(path)}`)).status).toBe(400)
})

test('a session outside of any repository says that nothing was recorded', async () => {
  const world = await startWorld()
  const id = await world.run('do: write made.txt hello\ndo: finish ok')
  await world.ok(['logs', id, '-f'])
  const changes = JSON.parse((await get(world, `/api/tasks/${id}/changes`)).body) as ChangesJson
  expect(changes).toMatchObject({ state: 'not_recorded', files: [], commit: null })
})
