import { describe, expect, test } from 'vitest'
import { LaunchUncertain } from '../../../src/ports/run/terminal.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { SLEEP, type StartTerminal, type TerminalWorld } from './terminal-world.ts'

const kinds = ({ events }: TerminalWorld) => events.map(({ kind }) => kind)
const isUp = ({ terminal }: TerminalWorld) => waitFor('the server to be up', () => terminal.health() === 'up')

export const serverContract = (start: StartTerminal) =>
  describe('the server', () => {
    test('one that runs has a process, and no outage', async () => {
      const { terminal } = await start()
      expect(terminal.health()).toBe('up')
      expect(terminal.outage()).toBeNull()
      expect(terminal.server()!.pid).toBeGreaterThan(1)
    })

    test('one killed with -9 is told once, started again, and usable', async () => {
      const world = await start()
      const { terminal, opens } = world
      for (const name of ['a', 'b', 'c']) await opens(name)
      await world.killServer()
      expect(world.events).toEqual([
        { kind: 'server_started' },
        { kind: 'server_died', deaths: 1 },
        { kind: 'server_started' },
      ])
      expect(await terminal.panes()).toEqual([])
      await opens('a', { mark: 'again' })
      expect(await terminal.panes()).toMatchObject([{ session: 'hf-a', mark: 'again' }])
    })

    test('three deaths within ten minutes, and it stays down until somebody has it tried', async () => {
      const world = await start()
      const { terminal, dir } = world
      for (let i = 0; i < 3; i++) await world.killServer()
      expect(world.events.slice(-2)).toEqual([
        { kind: 'server_died', deaths: 3 },
        { kind: 'server_given_up', deaths: 3, retryAt: expect.any(Number) },
      ])
      expect(terminal.health()).toBe('given_up')
      const outage = terminal.outage()!
      expect(outage).toMatchObject({ health: 'given_up', pid: null })
      expect(outage.why).toContain('died 3 times within ten minutes')
      expect(outage.retryAt! - world.now()).toBeGreaterThan(9 * 60_000)
      expect(terminal.server()).toBeUndefined()
      const opened = terminal.open({ task: 'a', mark: 'm', argv: SLEEP, cwd: dir })
      await expect(opened).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
      expect(await terminal.panes()).toEqual([])
      expect(await terminal.readScreen('a', 'm')).toBeUndefined()
      expect(await terminal.paste('a', 'm', 't', 'text')).toBe('refused')
      await terminal.close('a', 'm')
      await terminal.tryNow()
      expect(terminal.health()).toBe('up')
      expect(terminal.outage()).toBeNull()
    })

    test('one that was given up is tried again by itself, and rests longer each time it dies again', async () => {
      const world = await start({ restMs: 200 })
      const rests: number[] = []
      world.terminal.onEvent((event) => {
        if (event.kind === 'server_given_up') rests.push(event.retryAt - world.now())
      })
      for (const restMs of [200, 400]) {
        for (let death = 0; death < 3; death++) await world.killServer()
        expect(world.terminal.health()).toBe('given_up')
        await world.pass(restMs)
        await isUp(world)
      }
      expect(rests).toEqual([200, 400])
    })

    test('deaths that lie further apart do not add up', async () => {
      const world = await start()
      for (let i = 0; i < 4; i++) {
        await world.killServer()
        await world.pass(6 * 60_000)
      }
      expect(world.events.filter(({ kind }) => kind === 'server_died')).toEqual(
        [1, 2, 2, 2].map((deaths) => ({ kind: 'server_died', deaths })),
      )
      expect(world.terminal.health()).toBe('up')
    })

    test('one that is not there is said, looked for again, and used once it is', async () => {
      const world = await start({ isThere: false })
      const { terminal, events } = world
      expect(terminal.health()).toBe('missing')
      expect(terminal.outage()).toMatchObject({ why: 'There is no tmux on the PATH.', retryAt: null })
      expect(events).toEqual([{ kind: 'server_unavailable', why: 'There is no tmux on the PATH.' }])
      const opened = terminal.open({ task: 'a', mark: 'm', argv: SLEEP, cwd: world.dir })
      await expect(opened).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
      world.setThere(true)
      await terminal.tryNow()
      expect(terminal.health()).toBe('up')
    })

    test('one that does not answer is told as hung; what was ordered meanwhile is uncertain, and comes when it answers', async () => {
      const world = await start()
      const { terminal, dir } = world
      const before = terminal.server()
      world.stopServer()
      const uncertain = terminal.open({ task: 'queued', mark: 'm', argv: SLEEP, cwd: dir })
      await expect(uncertain).rejects.toBeInstanceOf(LaunchUncertain)
      expect(terminal.health()).toBe('hung')
      expect(terminal.outage()).toMatchObject({ health: 'hung', pid: before!.pid, retryAt: null })
      const refused = terminal.open({ task: 'refused', mark: 'm', argv: SLEEP, cwd: dir })
      await expect(refused).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
      await expect(terminal.panes()).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
      const pasted = terminal.paste('queued', 'm', 't', 'text')
      await expect(pasted).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
      await terminal.tryNow()
      expect(terminal.health()).toBe('hung')
      world.continueServer()
      await isUp(world)
      expect(kinds(world)).toEqual(['server_started', 'server_hung', 'server_answers'])
      expect((await terminal.panes()).map(({ session }) => session)).toEqual(['hf-queued'])
      expect(terminal.server()).toEqual(before)
    })

    test('a listener that fails keeps nobody from hearing, and one that is gone hears nothing', async () => {
      const world = await start()
      const heard: string[] = []
      world.terminal.onEvent(() => {
        throw new Error('a broken listener')
      })
      const off = world.terminal.onEvent(({ kind }) => void heard.push(kind))
      await world.killServer()
      expect(heard).toEqual(['server_died', 'server_started'])
      off()
      await world.killServer()
      expect(heard).toEqual(['server_died', 'server_started'])
    })
  })
