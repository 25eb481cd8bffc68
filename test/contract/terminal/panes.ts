import { describe, expect, test } from 'vitest'
import { openOne, SLEEP, type StartTerminal } from './terminal-world.ts'

export const panesContract = (start: StartTerminal) =>
  describe('panes', () => {
    test('one that is opened is there, alive, with its name and its mark', async () => {
      const { terminal, opens } = await start()
      const pane = await opens('s', { mark: 'm' })
      const panes = await terminal.panes()
      expect(panes).toMatchObject([{ pane, session: 'hf-s', mark: 'm', dead: false }])
      expect(panes[0]!.pid).toBeGreaterThan(1)
    })

    test('an outline that changes is told, and a pane that is gone', async () => {
      const { terminal, opens, setInMode, pass } = await start()
      await opens('s', { text: 'ready' })
      await opens('other')
      let told = 0
      terminal.onOutlines(() => told++)
      const untilTold = async (before: number) => {
        for (let tries = 0; told === before && tries < 40; tries++) await pass(250)
        expect(told).toBe(before + 1)
      }
      // What has changed before is told first.
      await pass(1500)
      const before = told
      await setInMode('s', true)
      await untilTold(before)
      await terminal.close('s', 's')
      await untilTold(before + 1)
    })

    test('opening again with the same mark returns the same pane and starts nothing', async () => {
      const { terminal, opens, dir } = await start()
      const pane = await opens('s', { text: 'first' })
      expect(await terminal.open({ task: 's', mark: 's', argv: SLEEP, cwd: dir })).toBe(pane)
      expect(await terminal.panes()).toHaveLength(1)
      expect(await terminal.readScreen('s', 's')).toBe('first')
    })

    test('the same pane opened five times at once is one pane', async () => {
      const { terminal, dir } = await start()
      const spec = { task: 's', mark: 'm', argv: SLEEP, cwd: dir }
      const opened = await Promise.all([1, 2, 3, 4, 5].map(() => terminal.open(spec)))
      expect(new Set(opened).size).toBe(1)
      expect(await terminal.panes()).toHaveLength(1)
    })

    test('tasks whose ids differ only in a dot have a session each', async () => {
      const { terminal, opens } = await start()
      const names = ['a.b', 'a_b', 'a-b', 'a..b', 'a._b']
      for (const [at, name] of names.entries()) await opens(name, { mark: `m${at}`, text: name })
      for (const [at, name] of names.entries())
        expect(await terminal.readScreen(name, `m${at}`)).toContain(name)
      expect(new Set((await terminal.panes()).map(({ session }) => session)).size).toBe(names.length)
      expect(['a_b', 'a-b'].map((name) => terminal.sessionName(name))).toEqual(['hf-a_b', 'hf-a-b'])
    })

    test('fifty panes opened at once are fifty panes', async () => {
      const { terminal, dir } = await start()
      const names = Array.from({ length: 50 }, (_, i) => `n-${i}`)
      const opened = await Promise.all(
        names.map((name) => terminal.open({ task: name, mark: name, argv: SLEEP, cwd: dir })),
      )
      const panes = await terminal.panes()
      expect(new Set(opened).size).toBe(50)
      expect(new Map(panes.map(({ mark, pane }) => [mark, pane]))).toEqual(
        new Map(names.map((name, i) => [name, opened[i]])),
      )
      expect(
        panes.every(({ session, mark, pid, dead }) => session === `hf-${mark}` && pid > 1 && !dead),
      ).toBe(true)
    })

    test('a dead pane of an earlier run makes room, a living one does not', async () => {
      const { terminal, opens, dies, dir } = await start()
      await opens('s', { mark: 'r1' })
      await dies('s')
      await terminal.open({ task: 's', mark: 'r2', argv: SLEEP, cwd: dir })
      expect(await terminal.panes()).toMatchObject([{ mark: 'r2', dead: false }])
      const third = terminal.open({ task: 's', mark: 'r3', argv: SLEEP, cwd: dir })
      await expect(third).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
      expect(await terminal.panes()).toMatchObject([{ mark: 'r2', dead: false }])
    })

    test('a place that is no directory is refused, and nothing is started', async () => {
      const { terminal } = await start()
      for (const cwd of ['/nonexistent/dir', 'relative', '', '/etc/passwd', '/tmp\0'])
        await expect(terminal.open({ task: 'x', mark: 'm', argv: SLEEP, cwd }), cwd).rejects.toMatchObject({
          code: 'DIRECTORY_NOT_FOUND',
        })
      expect(await terminal.panes()).toEqual([])
    })

    test('what means something in a tmux target is refused as a name and as a mark', async () => {
      const { terminal, dir } = await start()
      const refused = { code: 'INVALID_NAME' }
      const named = { mark: 'm', argv: SLEEP, cwd: dir }
      for (const bad of ['', 'a:b', '=a', '$1', 'a b', '#{pid}', 'ä']) {
        await expect(terminal.open({ ...named, task: bad }), bad).rejects.toMatchObject(refused)
        await expect(terminal.readScreen(bad, 'm'), bad).rejects.toMatchObject(refused)
      }
      for (const bad of ['', 'a:b', 'a.b', '=a', '$1', 'a b', '#{pid}', '-x', 'ä', 'holdfast-keeper']) {
        await expect(terminal.open({ ...named, task: 'n', mark: bad }), bad).rejects.toMatchObject(refused)
        await expect(terminal.close('n', bad), bad).rejects.toMatchObject(refused)
      }
      expect(await terminal.panes()).toEqual([])
    })

    test('an empty argv and one with a NUL byte are refused', async () => {
      const { terminal, dir } = await start()
      for (const argv of [[], ['a', 'b\0c']])
        await expect(terminal.open({ task: 'n', mark: 'm', argv, cwd: dir })).rejects.toMatchObject({
          code: 'INVALID_REQUEST',
        })
    })

    test('a look shows text, title and cursor, whatever the title holds', async () => {
      const { terminal, opens } = await start()
      const title = ':a::b: #{pid} #(touch x) %H 0:0 grüße 😀'
      await opens('s', { text: 'one\n\n  two', title })
      expect(await terminal.look('s', 's')).toEqual({
        text: 'one\n\n  two',
        title,
        cursor: { x: 5, y: 2 },
        dead: false,
        inMode: false,
        pasted: '',
        pressed: '',
        cleared: '',
        note: '',
        keyAgeMs: null,
        typists: [],
        stir: expect.stringMatching(/^\d+\.0$/),
      })
    })

    test('an empty screen is empty, a missing pane has none', async () => {
      const { terminal, dir } = await start()
      await terminal.open({ task: 's', mark: 'm', argv: SLEEP, cwd: dir })
      expect(await terminal.readScreen('s', 'm')).toBe('')
      expect(await terminal.look('s', 'm')).toMatchObject({ text: '' })
      expect(await terminal.readScreen('other', 'm')).toBeUndefined()
      expect(await terminal.look('other', 'm')).toBeUndefined()
    })

    test('another mark changes nothing: no screen, no closing', async () => {
      const { terminal, opens } = await start()
      const pane = await opens('s', { mark: 'mine' })
      expect(await terminal.readScreen('s', 'yours')).toBeUndefined()
      expect(await terminal.look('s', 'yours')).toBeUndefined()
      await terminal.close('s', 'yours')
      expect(await terminal.panes()).toMatchObject([{ pane, session: 'hf-s', mark: 'mine', dead: false }])
    })

    test('a name that begins like another is another', async () => {
      const { terminal, opens } = await start()
      await opens('ab', { mark: 'm' })
      expect(await terminal.readScreen('a', 'm')).toBeUndefined()
      await terminal.close('a', 'm')
      await opens('a', { mark: 'm' })
      await terminal.close('a', 'm')
      expect(await terminal.panes()).toMatchObject([{ session: 'hf-ab' }])
    })

    test('closing removes the pane, and closing again does nothing', async () => {
      const { terminal, opens } = await start()
      await opens('s')
      await terminal.close('s', 's')
      await terminal.close('s', 's')
      expect(await terminal.panes()).toEqual([])
    })

    test('a dead pane still shows its last words, and that it is dead', async () => {
      const world = await start()
      const { look } = await openOne(world, 'bye')
      await world.dies('s')
      expect(await look()).toMatchObject({ text: 'bye', dead: true })
      expect(await world.terminal.panes()).toMatchObject([{ session: 'hf-s', dead: true }])
    })

    test('panes tell when they last showed something, in whole seconds', async () => {
      const { terminal, opens, now } = await start()
      const before = Math.floor(now() / 1000)
      await opens('s')
      const [pane] = await terminal.panes()
      expect(Number.isInteger(pane!.activeAt)).toBe(true)
      expect(pane!.activeAt).toBeGreaterThanOrEqual(before)
      expect(pane!.activeAt).toBeLessThanOrEqual(now() / 1000)
    })

    test('the outline of a pane stays the same until somebody presses a key or looks through its history', async () => {
      const { terminal, opens, personTypes, setInMode } = await start()
      const outline = async () => (await terminal.panes())[0]!.outline
      await opens('s')
      const first = await outline()
      expect(await outline()).toBe(first)
      await setInMode('s', true)
      const inMode = await outline()
      expect(inMode).not.toBe(first)
      await setInMode('s', false)
      expect(await outline()).toBe(first)
      await personTypes('s')
      expect(await outline()).not.toBe(first)
    })
  })
