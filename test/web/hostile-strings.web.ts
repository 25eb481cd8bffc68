// Every text that an agent or a stranger can choose, made to be taken for a part of the page.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { CLI } from '../helpers/world.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

/** Sets `owned` if any of it is ever executed. */
const HOSTILE = `<img src=x onerror="globalThis.owned=1"><script>globalThis.owned=1</script>"'><svg onload=globalThis.owned=1>`
/** Short, and without a slash or a quote: for names. */
const NAME = '<img src=x onerror=globalThis.owned=1>'
const LINK = 'javascript:globalThis.owned=1'
/** Turns the writing around, and moves the cursor where it is not. */
const SLY = '\u202Eexe.tset\u202C \u0000\u001b[2J{{constructor.constructor("globalThis.owned=1")()}}'

test('hostile titles, questions, options, prompts, output, tools, terminals, results, checks, children, roles, messages, limits and reasons are shown as text and run nothing; the browser refuses what would run', async () => {
  const world = await startPageWorld({ config: 'recursion.depth: 1\n' })
  await world.ok(['workspace', 'add', world.project])
  mkdirSync(join(world.project, 'agents/reviewer'), { recursive: true })
  writeFileSync(
    join(world.project, 'agents/reviewer/reviewer-agent.md'),
    `---\ndescription: ${JSON.stringify(HOSTILE)}\n---\nYou review.\n`,
  )
  const { page } = await world.signIn()
  /** The prompt is harmless: what is found was said or done by the agent. */
  const play = (name: string, steps: readonly string[], ...flags: string[]) => {
    writeFileSync(join(world.project, name), steps.join('\n'))
    return world.run(`do: script ${name}`, ...flags)
  }
  const asks = await play(
    'asks',
    [`say ${HOSTILE}`, `tool 0 ${HOSTILE}`, `ask ${HOSTILE} ${LINK} | ${HOSTILE} | ${LINK}`, 'finish no'],
    ...['--title', HOSTILE.slice(0, 150), '--converse'],
  )
  const terminal = await play(
    'terminal',
    [`say ${HOSTILE}`, 'hang'],
    ...['--mode', 'interactive', '--title', SLY.replaceAll('\0', '')],
  )
  const done = await play(
    'done',
    [
      `write x.html ${HOSTILE}`,
      `result ${JSON.stringify({ [HOSTILE]: HOSTILE, href: LINK })}`,
      `finish ${HOSTILE}`,
    ],
    ...['--title', LINK],
  )
  const fails = await play('fails', [`fail ${HOSTILE}`], '--title', 'Fails hostilely')
  const unproved = await world.run('do: finish ok', '--title', 'Is not proved', '--verify', `file:${NAME}`)
  writeFileSync(
    join(world.project, 'call.sh'),
    `'${process.execPath}' '${CLI}' --home '${world.home}' run --title '${NAME}' 'do: finish ok'\n`,
  )
  const parent = await world.run('do: run sh call.sh\ndo: finish ok', '--title', 'Has a child')
  const thread = await world.daemon.call('POST /api/threads', { body: { title: HOSTILE.slice(0, 150) } })
  await world.daemon.call('POST /api/threads/:id/messages', {
    id: thread.thread_id,
    body: { text: HOSTILE, kind: 'finding', refs: [LINK, HOSTILE.slice(0, 100)] },
  })
  await untilPhase(world, asks, 'asking')
  await world.ok(['send', asks, `Read ${HOSTILE}`])
  await untilPhase(world, terminal, 'working')
  await world.untilStatus(done, 'COMPLETED')
  await world.untilStatus(fails, 'FAILED')
  await world.untilStatus(unproved, 'FAILED')
  await world.untilStatus(parent, 'COMPLETED')
  // No other task can start behind it.
  const limited = await play('limited', [`fail-as limit ${HOSTILE}`], '--title', 'Hits a limit')
  await untilPhase(world, limited, 'parked')
  const [main, panel, log] = [page.getByRole('main'), page.getByRole('tabpanel'), page.getByRole('log')]
  const timeline = page.getByLabel('Timeline')
  const told = timeline.getByRole('paragraph')
  const list = (name: string) => page.getByRole('list', { name })
  const shown: [path: string, within: Locator, text: string, first?: () => Promise<unknown>][] = [
    ['/', main.locator('[data-question]'), HOSTILE],
    ['/', main.getByRole('link'), '<img src=x onerror='],
    ['/tasks', page.getByRole('row'), '<img src=x onerror='],
    ['/tasks?view=board', page.getByRole('region', { name: 'Needs you: cards' }), '<img src=x onerror='],
    [`/tasks/${asks}`, log, HOSTILE],
    [`/tasks/${asks}`, page.getByRole('region', { name: 'It asks' }), HOSTILE],
    [`/tasks/${asks}`, told, HOSTILE, () => timeline.getByRole('button', { name: /<img.* · took / }).hover()],
    [`/tasks/${asks}/why`, panel, '<img src=x'],
    [`/tasks/${asks}/inputs`, list('Inputs'), HOSTILE],
    [`/tasks/${terminal}/screen`, page.getByLabel("The agent's screen"), '<img src=x'],
    [
      `/tasks/${terminal}/screen`,
      page.getByRole('region', { name: 'Live terminal' }).locator('.xterm-rows'),
      '<img src=x',
      () => page.getByRole('button', { name: 'Live terminal' }).click(),
    ],
    [`/tasks/${done}/result`, panel, '<img src=x'],
    [`/tasks/${done}/output`, log, HOSTILE],
    [`/tasks/${fails}`, told, '<img src=x'],
    [`/tasks/${unproved}/checks`, panel, NAME],
    [`/tasks/${parent}/children`, panel, NAME],
    [`/tasks/${limited}`, told, '<img src=x'],
    [`/threads/${thread.thread_id}`, list('Messages'), HOSTILE],
    ['/new', main, HOSTILE, () => page.getByLabel('Role').selectOption('reviewer')],
    [
      '/runtimes?show=triggers',
      list('Triggers').locator('pre'),
      HOSTILE,
      () => page.getByRole('button', { name: 'Track' }).first().click(),
    ],
    ['/limits', main, '<img src=x'],
    ['/audit', page.getByRole('row'), '<img src=x'],
    ['/health', page.getByRole('article', { name: 'Daemon' }), 'up'],
  ]
  const examine = async (what: string) => {
    const found = (await page.evaluate(`({
      owned: globalThis.owned ?? null,
      made: document.querySelectorAll('#root img, #root script, #root svg[onload], #root [onerror]').length,
      links: [...document.querySelectorAll('a')].filter((a) => !/^https?:$/.test(new URL(a.href, location).protocol)).length,
    })`)) as object
    expect(found, what).toEqual({ owned: null, made: 0, links: 0 })
  }
  for (const [index, [path, within, text, first]] of shown.entries()) {
    if (path !== shown[index - 1]?.[0]) await world.visit(page, path)
    await first?.()
    await within.getByText(text).first().waitFor()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await examine(path)
  }
  await page.keyboard.press('Control+k')
  await page.keyboard.type('<img')
  await page.getByRole('option', { name: '<img' }).first().waitFor()
  await examine('the palette')
  expectNoErrors(world)
  // Should the page ever take a text for a part of itself.
  await page.evaluate(BREAK_OUT)
  await expect
    .poll(() => page.evaluate('globalThis.refused'))
    .toEqual({ 'script-src-elem': 'inline', 'script-src-attr': 'inline', 'connect-src': ELSEWHERE })
  expect(await page.evaluate('globalThis.owned ?? null')).toBeNull()
  expectNoErrors(world, { but: /Content Security Policy/ })
})

const ELSEWHERE = 'https://example.org/'
/** A script, a handler and a request to a stranger, each of which has had its chance. Keeps what the browser refused. */
const BREAK_OUT = `(async () => {
  globalThis.refused = {}
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    globalThis.refused[effectiveDirective] = blockedURI
  })
  const script = document.createElement('script')
  script.textContent = 'globalThis.owned = 1'
  document.body.append(script)
  const box = document.createElement('div')
  box.innerHTML = '<img src="data:," onerror="globalThis.owned = 1">'
  const failed = new Promise((resolve) => box.firstChild.addEventListener('error', resolve))
  document.body.append(box)
  const asked = fetch('${ELSEWHERE}').then(() => { globalThis.owned = 1 }, () => {})
  await Promise.all([failed, asked])
})()`
