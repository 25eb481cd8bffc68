import { describe, expect, test } from 'vitest'
import { SLEEP, type StartTerminal, type TerminalWorld } from './terminal-world.ts'

const reviewer = { session: 'agents_core', window: 'reviewer' }
const tester = { session: 'agents_core', window: 'tester' }

const openAt = ({ terminal, dir }: TerminalWorld, task: string, place: typeof reviewer, mark = task) =>
  terminal.open({ task, mark, argv: SLEEP, cwd: dir, place })

export const placesContract = (start: StartTerminal) =>
  describe('places', () => {
    test('panes of several tasks have windows of one session, each found by its mark', async () => {
      const world = await start()
      const { terminal } = world
      const opened = [await openAt(world, 'a', reviewer), await openAt(world, 'b', tester)]
      const panes = await terminal.panes()
      expect(new Map(panes.map(({ mark, pane }) => [mark, pane]))).toEqual(
        new Map([
          ['a', opened[0]],
          ['b', opened[1]],
        ]),
      )
      expect(panes.map(({ session, dead, attached }) => ({ session, dead, attached }))).toEqual([
        { session: 'agents_core', dead: false, attached: false },
        { session: 'agents_core', dead: false, attached: false },
      ])
      expect(terminal.sessionName('a', reviewer)).toBe('agents_core')
      for (const task of ['a', 'b']) expect(await terminal.look(task, task)).toMatchObject({ dead: false })
      expect(await terminal.look('a', 'b-another')).toBeUndefined()
    })

    test('opened again with the same mark it is the same pane, also five times at once', async () => {
      const world = await start()
      const opened = await Promise.all([1, 2, 3, 4, 5].map(() => openAt(world, 'a', reviewer)))
      expect(new Set(opened).size).toBe(1)
      expect(await world.terminal.panes()).toHaveLength(1)
    })

    test('a living pane keeps its window; a dead one of an earlier run makes room', async () => {
      const world = await start()
      await openAt(world, 'a', reviewer, 'r1')
      await expect(openAt(world, 'a', reviewer, 'r2')).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
      await world.terminal.close('a', 'r1')
      await openAt(world, 'a', reviewer, 'r3')
      expect(await world.terminal.panes()).toMatchObject([{ mark: 'r3', dead: false }])
    })

    test('closing one leaves the others of its session alone', async () => {
      const world = await start()
      const { terminal } = world
      await openAt(world, 'a', reviewer)
      await openAt(world, 'b', tester)
      await terminal.close('a', 'b-another')
      await terminal.close('a', 'a')
      expect(await terminal.panes()).toMatchObject([{ mark: 'b', dead: false }])
      await terminal.close('b', 'b')
      expect(await terminal.panes()).toEqual([])
      await openAt(world, 'a', reviewer, 'again')
      expect(await terminal.panes()).toMatchObject([{ mark: 'again', session: 'agents_core' }])
    })

    test('a session is closed when its last window is gone, unless it is named', async () => {
      const world = await start()
      const { terminal } = world
      await openAt(world, 'a', reviewer)
      await openAt(world, 'b', { session: 'agents_other', window: 'reviewer' })
      expect(await terminal.closeEmptySessions(new Set())).toBe(2)
      await terminal.close('a', 'a')
      expect(await terminal.closeEmptySessions(new Set(['agents_core', 'agents_other']))).toBe(0)
      expect(await terminal.closeEmptySessions(new Set())).toBe(1)
      expect(await terminal.panes()).toMatchObject([{ mark: 'b' }])
      await openAt(world, 'a', reviewer)
      expect(await terminal.panes()).toHaveLength(2)
    })

    test('what is typed goes to the pane with the mark, once per tag', async () => {
      const world = await start()
      const { terminal } = world
      await openAt(world, 'a', reviewer)
      await openAt(world, 'b', tester)
      expect(await terminal.paste('a', 'a', 't1', 'hello')).toBe('done')
      expect(await terminal.paste('a', 'a', 't1', 'hello')).toBe('already')
      expect(await terminal.press('b', 'b', 't1', ['Enter'])).toBe('done')
      expect(await terminal.look('a', 'a')).toMatchObject({ pasted: 't1', pressed: '' })
      expect(await terminal.look('b', 'b')).toMatchObject({ pasted: '', pressed: 't1' })
    })

    test('a session or window that means something else in tmux is refused', async () => {
      const world = await start()
      for (const place of [
        { session: 'agents_a.b', window: 'x' },
        { session: 'agents_a', window: 'x:y' },
        { session: 'agents_a', window: '' },
      ])
        await expect(openAt(world, 'a', place)).rejects.toMatchObject({ code: 'INVALID_NAME' })
      expect(await world.terminal.panes()).toEqual([])
    })
  })
