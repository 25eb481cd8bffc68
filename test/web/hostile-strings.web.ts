// Every text that an agent or a stranger can choose, made to be taken for a part of the page.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('hostile titles, questions, options, prompts, output, results, checks, children, messages, limits and reasons are shown as text and run nothing', async () => {
  const world = await startPageWorld({ config: 'recursion.depth: 1\n' })
  const { page } = await world.signIn()
  const asks = await world.run(
    `do: say ${HOSTILE}\ndo: tool 0 ${HOSTILE}\ndo: ask ${HOSTILE} ${LINK} | ${HOSTILE} | ${LINK}\ndo: finish no`,
    ...['--title', HOSTILE.slice(0, 150), '--converse'],
  )
  const terminal = await world.run(
    `do: say ${HOSTILE}\ndo: hang`,
    '--mode',
    'interactive',
    '--title',
    SLY.replaceAll('\0', ''),
  )
  const done = await world.run(
    `do: write x.html ${HOSTILE}\ndo: result ${JSON.stringify({ [HOSTILE]: HOSTILE, href: LINK })}\ndo: finish ${HOSTILE}`,
    ...['--title', LINK],
  )
  const fails = await world.run(`do: fail ${HOSTILE}`, '--title', 'Fails hostilely')
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
  await untilPhase(world, terminal, 'working')
  await world.untilStatus(done, 'COMPLETED')
  await world.untilStatus(fails, 'FAILED')
  await world.untilStatus(unproved, 'FAILED')
  await world.untilStatus(parent, 'COMPLETED')
  // No other task can start behind it.
  const limited = await world.run(`do: fail-as limit ${HOSTILE}`, '--title', 'Hits a limit')
  await untilPhase(world, limited, 'parked')
  const shown: [path: string, text: string][] = [
    ['/', HOSTILE],
    ['/tasks', '<img src=x onerror='],
    ['/tasks?view=board', '<img src=x onerror='],
    [`/tasks/${asks}`, HOSTILE],
    [`/tasks/${asks}/why`, '<img src=x'],
    [`/tasks/${terminal}/screen`, '<img src=x'],
    [`/tasks/${done}/result`, '<img src=x'],
    [`/tasks/${done}/output`, HOSTILE],
    [`/tasks/${fails}`, '<img src=x'],
    [`/threads/${thread.thread_id}`, HOSTILE],
    ['/audit', '<img src=x'],
    ['/runtimes?show=triggers', ''],
    [`/tasks/${asks}/inputs`, HOSTILE],
    [`/tasks/${unproved}/checks`, NAME],
    [`/tasks/${parent}/children`, NAME],
    [`/tasks/${limited}`, '<img src=x'],
    ['/limits', '<img src=x'],
    ['/health', ''],
  ]
  const examine = async (what: string) => {
    const found = (await page.evaluate(`({
      owned: globalThis.owned ?? null,
      made: document.querySelectorAll('#root img, #root script, #root svg[onload], #root [onerror]').length,
      links: [...document.querySelectorAll('a')].filter((a) => !/^https?:$/.test(new URL(a.href, location).protocol)).length,
    })`)) as object
    expect(found, what).toEqual({ owned: null, made: 0, links: 0 })
  }
  for (const [path, text] of shown) {
    await world.visit(page, path)
    await page.getByText(text).first().waitFor()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await examine(path)
  }
  await page.keyboard.press('Control+k')
  await page.keyboard.type('<img')
  await page.getByRole('option', { name: '<img' }).first().waitFor()
  await examine('the palette')
  expectNoErrors(world)
})
