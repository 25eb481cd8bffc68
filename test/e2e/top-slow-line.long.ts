// The board behind a line that takes nothing at all for a while, and then two kilobytes in a second.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { textIn, untilPhase } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { boardBehindLine } from '../helpers/slow-line.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'
import { insertTasks } from '../web/lib/many-tasks.ts'

const TASKS = 1000
const SLOW = 2000
const FAST = 10_000_000
const END = '\x1b[F'
const HOME = '\x1b[H'
/** Longer than the time between two frames. */
const FRAME_MS = 60

async function boardOfMany() {
  const world = await startWorld({ config: 'archive.after: none\n' })
  await insertTasks(world.home, world.project, TASKS)
  const talker = await world.run('do: say ready', '--mode', 'interactive', '--name', 'talker')
  await untilPhase(world, talker, 'idle')
  const settings = join(world.home, 'terminal-settings')
  const board = await boardBehindLine(world, { settings, speed: FAST })
  await board.until(/1000 done[\s\S]*▸ ○ talker/)
  expect([board.isOnAlternateScreen(), board.modes()]).toMatchObject([
    true,
    { marksPastes: true, wraps: false },
  ])
  /** Makes every frame another one: with one session less each time, and from end to end unless it is left `still`. */
  const change = async (from: number, to: number, still = false) => {
    for (let number = from; number > to; number--) {
      if (!still) board.types(number % 2 === 0 ? END : HOME)
      const id = `20251118-120000-task-${String(number).padStart(7, '0')}`
      await world.daemon.call('DELETE /api/tasks/:id', { id })
    }
  }
  /** Every frame is drawn, however slow the machine is: so many bytes are what a board sends that drops none. */
  const drawEachFrame = async (frames: number) => {
    const before = board.read()
    for (let frame = 0; frame < frames; frame += 2) {
      board.types(END)
      await board.until(/^(?![\s\S]*▸ ○ talker)/)
      board.types(HOME)
      await board.until(/▸ ○ talker/)
    }
    return board.read() - before
  }
  const hasTerminalBack = async () => {
    expect(board.isOnAlternateScreen()).toBe(false)
    expect(board.modes()).toEqual({ marksPastes: false, holds: false, wraps: true })
    const lines = readFileSync(settings, 'utf8').trim().split('\n')
    expect(lines.slice(lines.length / 2)).toEqual(lines.slice(0, lines.length / 2))
  }
  return { world, talker, board, change, drawEachFrame, hasTerminalBack }
}

test('frames that the line cannot take are dropped, not kept: keys work meanwhile, and the newest state is drawn', {
  timeout: 120_000,
}, async () => {
  const { world, talker, board, change, drawEachFrame, hasTerminalBack } = await boardOfMany()
  const whole = await drawEachFrame(40)
  await change(TASKS, TASKS - 40)
  await board.until(/960 done/)
  board.types(`${HOME}s`)
  await board.until(/Send to \S+talker/)
  const before = board.read()
  board.setSpeed(0)
  await change(TASKS - 40, TASKS - 60, true)
  board.types('do: append heard.txt ok\r')
  await waitFor('the prompt to be heard', () => textIn(world, 'heard.txt') === 'ok\n')
  await change(TASKS - 60, TASKS - 80)
  // Nothing can be seen of these frames: each has the time in which it would be drawn.
  for (let frame = 0; frame < 40; frame++) {
    board.types(frame % 2 === 0 ? END : HOME)
    await sleep(FRAME_MS)
  }
  board.types('k')
  // Whoever cannot see the question does not answer it.
  board.types('y')
  expect(board.read()).toBe(before)
  board.setSpeed(SLOW)
  await board.until(new RegExp(`920 done[\\s\\S]*Kill ${talker}\\? \\[y/N\\]`), 60_000)
  expect((await world.status(talker)).task_status).toBe('running')
  expect(board.read() - before).toBeLessThan(whole / 3)
  board.types('n')
  board.types('q')
  await board.until(/exit=0/, 30_000)
  await hasTerminalBack()
})

test('a board that is told to end while the line stands still gives the terminal back when the line goes on', {
  timeout: 60_000,
}, async () => {
  const { board, change, hasTerminalBack } = await boardOfMany()
  board.setSpeed(0)
  await change(TASKS, TASKS - 40)
  process.kill(board.pid, 'SIGTERM')
  board.setSpeed(SLOW)
  await board.until(/exit=143/, 30_000)
  await hasTerminalBack()
})

test('a board that is told to end while the line stands still does not wait for it for ever', {
  timeout: 60_000,
}, async () => {
  const { board, change } = await boardOfMany()
  board.setSpeed(0)
  await change(TASKS, TASKS - 40)
  process.kill(board.pid, 'SIGTERM')
  await waitFor('it to end', () => !isAlive(board.pid), 30_000)
})
