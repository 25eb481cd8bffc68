import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { ReportJson } from '../../src/protocol/json/report-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

/** Has the form of a key, and is none. */
const KEY = `sk-ant-${'a1B2'.repeat(8)}`
const EVIL = '<script>document.title="owned"</script><img src=x onerror=\'document.title="owned"\'>"><b>'
/** A file in a folder: a name has no slash. */
const EVIL_NAME = '<img/src=x>.txt'

function asRepository({ project }: World) {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: project })
  git('init', '-q')
  writeFileSync(join(project, 'a.txt'), 'one\n')
  git('add', '-A')
  git('commit', '-qm', 'first')
}

/** Opens the page in a real browser, without a network; gives its text and title, and what it wanted to load. */
async function opened(page: string) {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  onTestFinished(() => browser.close())
  const tab = await (await browser.newContext({ offline: true })).newPage()
  const wanted: string[] = []
  const complaints: string[] = []
  tab.on('request', (request) => wanted.push(request.url()))
  tab.on('console', (message) => complaints.push(message.text()))
  await tab.goto(`file://${page}`)
  return {
    title: await tab.title(),
    text: await tab.locator('body').innerText(),
    bars: await tab.locator('svg rect').count(),
    parts: await tab.locator('h2').allInnerTexts(),
    elements: await tab.locator('script, img, iframe, object, link').count(),
    wanted: wanted.filter((url) => url !== `file://${page}`),
    complaints,
  }
}

async function saved(world: World, id: string) {
  const file = join(world.root, `${id}.html`)
  const html = await world.ok(['report', id])
  writeFileSync(file, html)
  return { file, html }
}

test('a report has the whole story on one page: hostile texts stay texts, secrets are removed, nothing is loaded', async () => {
  const world = await startWorld({ retries: 2 })
  asRepository(world)
  const id = await world.run(
    [
      `do: say ${EVIL} with ${KEY}`,
      'do: tool 0.1 grep',
      `do: append a.txt ${EVIL} api_key=${KEY}`,
      `do: write ${EVIL_NAME} new`,
      'do: crash-lives 1 KILL',
      `do: result ${JSON.stringify({ status: EVIL, password: `password=${KEY}` })}`,
      `do: finish ${EVIL}`,
    ].join('\n'),
    '--title',
    EVIL,
  )
  await world.untilStatus(id, 'COMPLETED')
  const { file, html } = await saved(world, id)
  expect(html).not.toContain(KEY)
  expect(html).toContain("default-src 'none'".replaceAll("'", '&#39;'))
  const page = await opened(file)
  expect(page.title).toBe(`${EVIL} · ${id}`)
  expect(page.elements).toBe(0)
  expect(page.wanted).toEqual([])
  expect(page.complaints).toEqual([])
  expect(page.bars).toBeGreaterThan(3)
  expect(page.text).toContain(EVIL)
  const below = (heading: string) => {
    const next = page.parts[page.parts.indexOf(heading) + 1]
    const from = page.text.indexOf(`\n${heading}\n`)
    expect(from, heading).toBeGreaterThan(-1)
    return page.text.slice(from, next === undefined ? undefined : page.text.indexOf(`\n${next}\n`, from))
  }
  expect(below('Result')).toContain(`"status": ${JSON.stringify(EVIL)}`)
  expect(below('Verification')).toContain('It has not been verified.')
  expect(below('Files changed')).toMatch(/a\.txt\s+\+1\s+−0/)
  expect(below('Files changed')).toContain(`+${EVIL} api_key=`)
  expect(below('Files changed')).toMatch(/<img\/src=x>\.txt\s+\+1\s+−0/)
  expect(below('Output')).toContain(EVIL)
  for (const part of ['COMPLETED', 'a.txt', '+1', 'Run 1', 'Run 2', 'exit record'])
    expect(page.text, part).toContain(part)
  const { changes } = await world.json<ReportJson>(['report', id])
  expect(changes.files).toEqual([
    { path: EVIL_NAME, kind: 'added', added: 1, removed: 0, before: false },
    { path: 'a.txt', kind: 'modified', added: 1, removed: 0, before: false },
  ])
}, 60_000)

test('a session at work, one that asks and an archived one have reports, too', async () => {
  const world = await startWorld()
  const works = await world.run('do: say hello\ndo: hang')
  const asks = await world.run('do: ask Which colour? | red | blue', '--converse')
  await waitFor('the question', async () => (await world.status(asks)).phase === 'asking')
  await waitFor('the output', async () => (await world.ok(['logs', works])).includes('hello'))
  const ended = await world.run(`do: say ${'long '.repeat(40)}\ndo: finish done`)
  await world.untilStatus(ended, 'COMPLETED')
  await world.ok(['archive', ended])
  const working = (await saved(world, works)).html
  expect(working).toContain('RUNNING · working')
  expect(working).toContain('Goes on for')
  expect(working).not.toContain('Took')
  expect((await saved(world, asks)).html).toContain('It asks: Which colour?')
  const archived = (await saved(world, ended)).html
  expect(archived).toContain('Archived (UTC)')
  expect(archived).toContain('long long')
  expect(archived).toContain('its directory was in no git repository')
}, 60_000)

test('inputs are followed like parcels, and a long output says what is left out', async () => {
  const world = await startWorld()
  const id = await world.run(`do: say ready`, '--converse')
  await waitFor('its rest', async () => (await world.status(id)).phase === 'idle')
  await world.ok(['send', id, 'do: say again'])
  await waitFor('its answer', async () => (await world.status(id)).inputs[1]?.done === true)
  const { inputs, output } = await world.json<ReportJson>(['report', id])
  expect(inputs[1]).toMatchObject({ number: 2, kind: 'prompt', state: 'done' })
  expect(inputs[1]!.steps.map(({ event }) => event)).toEqual(['queued', 'typed', 'submitted', 'done'])
  expect(output.cut).toBeNull()

  const loud = await world.run(
    `${Array.from({ length: 40 }, () => `do: say ${'x'.repeat(4000)}`).join('\n')}\ndo: finish done`,
  )
  await world.untilStatus(loud, 'COMPLETED')
  const told = await world.json<ReportJson>(['report', loud])
  expect(told.output.cut).toBe('begin')
  expect(told.output.bytes).toBeGreaterThan(150_000)
  expect((await saved(world, loud)).html).toContain('The beginning is left out')
}, 60_000)

test('a session that is not there has no report', async () => {
  const world = await startWorld()
  const said = await world.cli(['report', 'nobody'])
  expect(said.code).toBe(1)
  expect(said.stderr).toContain('TASK_NOT_FOUND')
})
