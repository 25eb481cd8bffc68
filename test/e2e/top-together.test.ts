// The board and what happens at the same moment: a key while it is filled, another board, a tmux that does not answer.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { boardOf } from '../helpers/board.ts'
import { textIn } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { signal, startWorld } from '../helpers/world.ts'

test('a key that is pressed while the board is still being filled counts', async () => {
  const world = await startWorld()
  const id = await world.run('do: hang', '--name', 'worker')
  // The answers come within these moments after the first frame.
  for (let afterMs = 0; afterMs <= 60; afterMs += 5) {
    const board = await boardOf(world)
    await board.until(/▸ ● worker/)
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    board.types('k')
    await board.until(`Kill ${id}? [y/N]`)
    board.tmux('kill-server')
  }
})

test('of two boards that kill one session in the same moment one kills it; both show its end, and no error', async () => {
  const world = await startWorld()
  // It takes its time to die: both kills come before its end.
  const doomed = await world.run('do: ignore-term\ndo: hang', '--name', 'doomed')
  const boards = [await boardOf(world), await boardOf(world)]
  for (const board of boards) {
    await board.until(/AT WORK 1\n▸ ● doomed/)
    board.types('k')
    await board.until(`Kill ${doomed}? [y/N]`)
  }
  for (const board of boards) board.types('y')
  for (const board of boards) {
    await board.until(/DONE 1\n▸ - doomed +killed/)
    await board.until(new RegExp(`Killed: ${doomed}|${doomed} has ended before \\(KILLED\\)`))
    expect(board.screen()).toMatch(/ live$/m)
  }
  const audit = await world.ok(['audit', '--task', doomed])
  expect(audit.match(/kill_ordered|task_cancelled/g)?.sort()).toEqual(['kill_ordered', 'task_cancelled'])
  for (const board of boards) {
    board.types('q')
    await board.until('exit=0')
  }
})

test('a tmux that hangs is told on the board, which goes on; when tmux answers again it is live, and prompts arrive', {
  timeout: 90_000,
}, async () => {
  const world = await startWorld({ config: 'reconcile.interval: 300ms\n' })
  await world.run('do: wait-for go\ndo: finish well done', '--name', 'worker')
  await world.run('do: say words', '--mode', 'interactive', '--name', 'talker')
  const board = await boardOf(world)
  await board.until(/AT WORK 1\n. ● worker[\s\S]*WAITING 1\n. ○ talker +idle/)
  const tmux = await world.tmuxPid()
  onTestFinished(() => signal(tmux, 'SIGCONT'))
  process.kill(tmux, 'SIGSTOP')
  await board.until(/^ 0 need you · tmux: The tmux server does not answer\.$/m, 30_000)
  writeFileSync(join(world.project, 'go'), '')
  await board.until(/WAITING 1\n. ○ talker +idle[\s\S]*DONE 1\n. ✓ worker +completed/)
  board.types('Home')
  await board.until(/▸ ○ talker/)
  board.types('Enter')
  await board.until(/tmux: The tmux server does not answer\. Press l to read what\s+\S+-talker wrote/)
  board.types('s')
  await board.until(/Send to \S+-talker/)
  board.types('-l', 'do: append heard.txt ok')
  board.types('Enter')
  await board.until('Kept: tmux does not answer')
  process.kill(tmux, 'SIGCONT')
  await board.until(/ live$/m)
  await board.until(/has received the prompt|is with the agent|was worked off/)
  await waitFor('the agent to do it', () => textIn(world, 'heard.txt') === 'ok\n')
  await board.until(/▸ ○ talker +idle/)
  board.types('Enter')
  await board.until('enter sends')
  board.types('C-b', 'd')
  await board.until(/▸ ○ talker +idle/)
})
