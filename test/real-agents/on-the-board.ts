// What a person does with a real agent in `holdfast top`, and must see there. Shared by the quick and the whole matrix.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TaskDetailJson } from '../../src/protocol/json/task-json.ts'
import { boardOf } from '../helpers/board.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'
import type { AgentKind } from './agent-home.ts'
import { ASKED_FILE, asksFirst, canAsk } from './asks-first.ts'
import type { Lab } from './lab.ts'
import { PATIENCE_MS, recoveringWith, untilPhase } from './recovery-world.ts'

type Board = Awaited<ReturnType<typeof boardOf>>

const written = (lab: Lab) => {
  const file = join(lab.project, ASKED_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Asked, answered, prompted, attached to and left, killed; at each rest the board says what `status` says. */
export async function onTheBoard(kind: AgentKind, lab: Lab): Promise<void> {
  const asks = canAsk(kind)
  const permission = asks ? 'edit' : 'full'
  const { world, run } = await recoveringWith(kind, lab, 'quiet.window: 1s\n')
  const asker = await run(asksFirst(kind), permission, '--name', 'asker')
  const talker = await run('DO:text{ready}', permission, '--name', 'talker', '--mode', 'interactive')
  await untilPhase(world, talker, 'idle')
  const board = await boardOf(world)
  if (asks) {
    await world.untilStatus(asker, 'waiting_input', PATIENCE_MS)
    await board.until(/NEEDS YOU 1\n▸ \? asker +asks for .*\nWAITING 1\n {2}○ talker +idle/)
    await answerOnBoard(board, world, asker, lab)
  }
  await world.untilStatus(asker, 'COMPLETED', PATIENCE_MS)
  expect(written(lab)).toBe('x')
  await board.until(/DONE 1\n(▸| ) ✓ asker +completed/)
  await showsWhatIsTrue(board, world, [asker, talker])

  await filter(board, 'talker')
  board.types('s')
  await board.until(`Send to ${talker}`)
  board.types('-l', asksFirst(kind))
  board.types('Enter')
  await board.until(/has received the prompt|is with the agent|was worked off/, PATIENCE_MS)
  if (asks) {
    await board.until(/NEEDS YOU 1\n▸ \? talker +asks for/, PATIENCE_MS)
    await answerOnBoard(board, world, talker, lab)
  }
  await waitFor('the command', () => written(lab) === 'xx', PATIENCE_MS)
  await untilPhase(world, talker, 'idle')
  await board.until(/▸ ○ talker +idle/)

  await attachAndLeave(board, world, talker)
  board.types('k')
  await board.until(`Kill ${talker}? [y/N]`)
  board.types('y')
  await board.until(`Killed: ${talker}`, PATIENCE_MS)
  await board.until(/DONE 1\n▸ - talker +killed/)
  board.types('Escape')
  await board.until(/DONE 2\n/)
  await showsWhatIsTrue(board, world, [asker, talker])
  board.types('q')
  await board.until('exit=0')
  await board.hasTerminalBack()
}

async function filter(board: Board, name: string): Promise<void> {
  board.types('/')
  await board.until('Filter:')
  board.types('-l', name)
  board.types('Enter')
  await board.until(new RegExp(`filter: ${name}`))
}

/** The command and every option are in sight before and while it is answered. */
async function answerOnBoard(board: Board, world: World, id: string, lab: Lab): Promise<void> {
  const [asked] = (await world.status(id)).questions
  const before = written(lab)
  const inSight = [ASKED_FILE, ...asked!.options.map((option, at) => `${at + 1}. ${option.slice(0, 30)}`)]
  await board.until(`1. ${asked!.options[0]!.slice(0, 30)}`)
  for (const words of inSight) expect(board.screen()).toContain(words)
  board.types('a')
  await board.until(asked!.takes_text ? 'Answer (number or text)' : 'Answer (a number)')
  for (const words of inSight) expect(board.screen()).toContain(words)
  expect(written(lab)).toBe(before)
  board.types('1', 'Enter')
  await board.until('The dialog closed', PATIENCE_MS)
  expect((await world.status(id)).questions).toEqual([])
}

async function attachAndLeave(board: Board, world: World, id: string): Promise<void> {
  const { tmux_session } = await world.status(id)
  board.types('Enter')
  await waitFor('somebody to be attached', async () =>
    (await world.tmux('list-clients', '-F', '#{session_name} #{client_control_mode}')).includes(
      `${tmux_session} 0`,
    ),
  )
  // The line of tmux itself, below the agent's screen.
  await board.until(new RegExp(`^${tmux_session} `, 'm'))
  expect(board.screen()).not.toContain('holdfast  ')
  // What stands at the end of its screen is in sight, although that is larger than the person's terminal.
  const lines = (await world.ok(['screen', id])).split('\n').filter((line) => line.trim() !== '')
  const isSeen = () => lines.slice(-3).some((line) => board.screen().includes(line.slice(0, 40).trimEnd()))
  await waitFor('the end of its screen', isSeen)
  board.types('C-b', 'd')
  await board.until(/▸ ○ talker +idle/)
  expect(board.isOnAlternateScreen()).toBe(true)
  expect(await world.tmux('list-clients')).not.toContain('/dev/')
  expect((await world.status(id)).phase).toBe('idle')
}

/** What stands in a row for what `holdfast status --json` says. */
const wordFor = ({ phase, status }: TaskDetailJson) => phase ?? status.toLowerCase()

async function showsWhatIsTrue(board: Board, world: World, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const task = await world.json<TaskDetailJson>(['status', id])
    expect(board.screen()).toMatch(new RegExp(`${task.name} +${wordFor(task)} `))
  }
}
