import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { launchChromium } from '../test/helpers/chromium.ts'
import { askInTurn } from './lib/asking-in-turn.ts'
import { startDaemon } from './lib/daemon.ts'
import { CLI, makeHome } from './lib/home.ts'
import { startLightRuns } from './lib/light-runs.ts'
import { insertTasks } from './lib/many-tasks.ts'
import { limitRow, report } from './lib/report.ts'
import { until } from './lib/until.ts'

const LIVE = 400
const ENDED = 600
const CHANGES_PER_S = 50
const ROUNDS = 3
const FRAMES = 300
const CARD_PX = 84
/** As far as a wheel that is turned fast goes with each frame. */
const WHEEL_PX = 200
/** At 60 frames a second one comes every 16.7 ms: then at most one in a row was missed. */
const FRAME_MS = 34
const EVERY_FRAME_MS = 17

// The tasks ended long ago: none of them may leave the list meanwhile.
const home = makeHome(`maxConcurrent: ${LIVE}\narchive.after: none\n`)
await insertTasks(home, ENDED)
const runs = await startLightRuns(home, LIVE)
const daemon = await startDaemon(home)
const tasks = await askInTurn(home, daemon, runs)
const opened = execFileSync(process.execPath, [CLI, 'web', '--no-open', '--json'], {
  env: home.env,
  cwd: home.project,
  encoding: 'utf8',
})
const { link, address } = JSON.parse(opened) as { link: string; address: string }

/** The least that a browser can draw: as many cards of the same height in two columns, all there, none of which changes. */
const card = `<div style="height:${CARD_PX}px">a plain card</div>`
const column = (name: string, cards: number) =>
  `<section aria-label="${name}: cards" style="flex:1;height:680px;overflow:auto">${card.repeat(cards)}</section>`
const plain = `<!doctype html><div style="display:flex">${column('At work', LIVE)}${column('Ended', ENDED)}</div>`
const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(plain)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const floor = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

const browser = await launchChromium()
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
await page.goto(link)

/** Each frame in milliseconds since the one before, while both long columns go down and up by so many pixels a frame. */
const frames = (px: number) =>
  page.evaluate(`new Promise((resolve) => {
    const columns = ['At work', 'Ended'].map((name) => ({
      box: document.querySelector('section[aria-label="' + name + ': cards"]'),
      step: ${px},
    }))
    const taken = []
    let last
    const frame = (now) => {
      if (last !== undefined) taken.push(now - last)
      last = now
      if (taken.length >= ${FRAMES}) return resolve(taken)
      for (const column of columns) {
        const { box } = column
        box.scrollTop += column.step
        const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 1
        column.step = isAtEnd ? -${px} : box.scrollTop <= 0 ? ${px} : column.step
      }
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })`) as Promise<number[]>

/** Both columns have all their cards: their boxes are as high as these are together. */
const allThere = () =>
  until('all cards', () =>
    page.evaluate<boolean>(`Object.entries(${JSON.stringify({ 'At work': LIVE / 2, Ended: ENDED })}).every(([name, cards]) => {
      const box = document.querySelector('section[aria-label="' + name + ': cards"]')
      if (box === null) return false
      // More are loaded at the end.
      box.scrollTop = box.scrollHeight
      return box.scrollHeight >= cards * ${CARD_PX}
    })`),
  )

const measure = async () => ({
  rest: await frames(0),
  scrolled: await frames(WHEEL_PX),
  ...(await tasks.changesDuring(CHANGES_PER_S, async () => ({
    changing: await frames(0),
    both: await frames(WHEEL_PX),
  }))),
})
type Measured = Awaited<ReturnType<typeof measure>>

const least: Measured[] = []
const board: Measured[] = []
// The first round fills the browser's caches and is dropped.
for (let round = 0; round <= ROUNDS; round++)
  for (const [to, samples] of [
    [floor, least],
    [`${address}/tasks?view=board`, board],
  ] as const) {
    await page.goto(to)
    await allThere()
    const measured = await measure()
    if (round > 0) samples.push(measured)
  }
await browser.close()
server.close()

const all = (samples: readonly Measured[], what: keyof Measured) => samples.flatMap((one) => one[what])
const row = (words: string, what: keyof Measured, share: number, ms: number) =>
  limitRow(words, all(least, what), all(board, what), { share, ms })
report(
  `Does the board of the page run smoothly with ${LIVE + ENDED} tasks? (headless Chromium, ${LIVE} live and ${ENDED} ended, ` +
    `${ROUNDS} rounds of ${FRAMES} frames; floor: two columns of as many plain cards, beside the same changes)`,
  [
    row('a frame, nothing happens', 'rest', 0.5, EVERY_FRAME_MS),
    row(`a frame, two columns turned fast (${WHEEL_PX} px a frame)`, 'scrolled', 0.99, FRAME_MS),
    row(`a frame, ${CHANGES_PER_S} tasks change a second`, 'changing', 0.99, FRAME_MS),
    row('a frame, both at once', 'both', 0.99, FRAME_MS),
  ],
)
await daemon.kill()
home.end()
process.exit(0)
