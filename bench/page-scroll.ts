import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { launchChromium } from '../test/helpers/chromium.ts'
import { startDaemon } from './lib/daemon.ts'
import { CLI, makeHome } from './lib/home.ts'
import { insertTasks } from './lib/many-tasks.ts'
import { limitRow, report } from './lib/report.ts'

const TASKS = 10_000
const ROUNDS = 3
const ROW_PX = 38
/** As far as a wheel that is turned fast goes with each frame, and how far the bar at the side is dragged. */
const WHEEL_PX = 200
const DRAGGED_PX = 2000
const WHEEL_FRAMES = 240
/** Many times as many as it takes, also while it waits for rows. */
const MOST_FRAMES = 10_000
/** At 60 frames a second one comes every 16.7 ms: then at most one in a row was missed. */
const FRAME_MS = 34

// The tasks ended long ago: none of them may leave the list meanwhile.
const home = makeHome('archive.after: none\n')
await insertTasks(home, TASKS)
await startDaemon(home)
const opened = execFileSync(process.execPath, [CLI, 'web', '--no-open', '--json'], {
  env: home.env,
  cwd: home.project,
  encoding: 'utf8',
})
const { link, address } = JSON.parse(opened) as { link: string; address: string }

/** The least that a browser can draw: as many rows of the same height, all there, none of which changes. */
const row = `<div style="height:${ROW_PX}px">a plain row</div>`
const plain = `<!doctype html><section aria-label="Tasks" style="height:700px;overflow:auto">${row.repeat(TASKS)}</section>`
const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(request.url === '/list' ? plain : '<!doctype html><p>A plain page')
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const floor = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const browser = await launchChromium()
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
await page.addInitScript(`{
  const look = () => {
    if (document.querySelector('table[aria-label="Tasks"] tbody tr') === null) requestAnimationFrame(look)
    else requestAnimationFrame(() => { globalThis.rowsAfter = performance.now() })
  }
  look()
}`)
await page.goto(link)

/** Each frame on the way, in milliseconds since the one before: as many as that, or until the last row is seen. */
const scroll = (px: number, frames = Number.POSITIVE_INFINITY) =>
  page.evaluate(`new Promise((resolve, reject) => {
    const box = document.querySelector('section[aria-label="Tasks"]')
    const end = ${TASKS * ROW_PX} - box.clientHeight
    const taken = []
    let last
    box.scrollTop = 0
    const frame = (now) => {
      if (last !== undefined) taken.push(now - last)
      last = now
      if (taken.length >= ${frames} || box.scrollTop >= end) return resolve(taken)
      if (taken.length > ${MOST_FRAMES}) return reject(new Error('it does not get to the end'))
      box.scrollTop += ${px}
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })`) as Promise<number[]>

/** In milliseconds since the page was asked for. */
const onceThere = (what: string) =>
  page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const ms = ${what}
      if (ms === undefined) setTimeout(look, 10)
      else resolve(ms)
    }
    look()
  })`) as Promise<number>
const painted = () => onceThere(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime`)
const rowsShown = () => onceThere('globalThis.rowsAfter')

const paints = { floor: [] as number[], now: [] as number[], all: [] as number[], rows: [] as number[] }
const wheel = { floor: [] as number[], page: [] as number[] }
const dragged = { floor: [] as number[], page: [] as number[] }
// The first round fills the browser's caches and is dropped.
for (let round = 0; round <= ROUNDS; round++) {
  const isKept = round > 0
  const keep = (samples: number[], ...more: number[]) => void (isKept && samples.push(...more))
  await page.goto(`${floor}/`)
  keep(paints.floor, await painted())
  await page.goto(`${address}/`)
  keep(paints.now, await painted())
  await page.goto(`${floor}/list`)
  await painted()
  keep(dragged.floor, ...(await scroll(DRAGGED_PX)))
  keep(wheel.floor, ...(await scroll(WHEEL_PX, WHEEL_FRAMES)))
  await page.goto(`${address}/tasks`)
  keep(paints.all, await painted())
  keep(paints.rows, await rowsShown())
  keep(dragged.page, ...(await scroll(DRAGGED_PX)))
  keep(wheel.page, ...(await scroll(WHEEL_PX, WHEEL_FRAMES)))
}
await browser.close()
server.close()

report(
  `How soon is the page there, and does it scroll ${TASKS} tasks smoothly? (headless Chromium, ${ROUNDS} rounds; floors: a page of one sentence, a plain list of as many rows)`,
  [
    limitRow('the first screen begins to be drawn', paints.floor, paints.now, { share: 0.95, ms: 1000 }),
    limitRow('the list of all tasks begins to be drawn', paints.floor, paints.all),
    limitRow('… its first rows are drawn', paints.floor, paints.rows, { share: 0.95, ms: 1000 }),
    limitRow(`a frame, turned fast (${WHEEL_PX} px a frame)`, wheel.floor, wheel.page, {
      share: 0.99,
      ms: FRAME_MS,
    }),
    limitRow(
      `a frame, dragged to the end while rows are loaded (${DRAGGED_PX} px a frame)`,
      dragged.floor,
      dragged.page,
    ),
  ],
)
process.exit(0)
