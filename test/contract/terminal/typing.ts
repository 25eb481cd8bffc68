import { describe, expect, test } from 'vitest'
import { waitFor } from '../../helpers/wait-for.ts'
import { openOne, type StartTerminal } from './terminal-world.ts'

export const typingContract = (start: StartTerminal) =>
  describe('typing', () => {
    test('what carries the same tag is typed once, what carries another is typed too', async () => {
      const { paste, press, clear, typed } = await openOne(await start())
      expect(await paste('t-1', 'one')).toBe('done')
      expect(await Promise.all([paste('t-1', 'one'), paste('t-1', 'one')])).toEqual(['already', 'already'])
      expect(await press('t-1', 'Enter')).toBe('done')
      expect(await press('t-1', 'Enter')).toBe('already')
      expect(await paste('t-2', 'two\n\tand more')).toBe('done')
      expect(await clear('t-2', 'C-u', 'C-k')).toBe('done')
      expect(await clear('t-2', 'C-u', 'C-k')).toBe('already')
      expect(await press('t-2', 'y', 'Enter')).toBe('done')
      expect(await typed()).toEqual([
        ...['paste one', 'press Enter', 'paste two\n\tand more', 'press C-u', 'press C-k'],
        ...['press y', 'press Enter'],
      ])
    })

    test('the keys of a person are pressed once per tag, and leave the tags of prompts alone', async () => {
      const world = await start()
      const { press, look, typed } = await openOne(world)
      const person = (tag: string, ...keys: string[]) => world.terminal.pressForPerson('s', 's', tag, keys)
      await press('t-1', 'Enter')
      expect(await person('k-1', 'y')).toBe('done')
      expect(await person('k-1', 'y')).toBe('already')
      expect(await person('k-2', 'C-u')).toBe('done')
      expect((await look()).pressed).toBe('t-1')
      expect(await press('t-1', 'Enter')).toBe('already')
      await world.setInMode('s', true)
      expect(await person('k-3', 'Down')).toBe('refused')
      await world.setInMode('s', false)
      expect(await typed()).toEqual(['press Enter', 'press y', 'press C-u'])
    })

    test('a look tells what was typed last, what was noted with it, and whether a person looks through the history', async () => {
      const world = await start()
      const { look, press, clear } = await openOne(world)
      await world.terminal.paste('s', 's', 't-1', 'text', { ...(await look()), note: 'what-was' })
      await press('t-2', 'Enter')
      await clear('t-3', 'C-u')
      const told = { pasted: 't-1', note: 'what-was', pressed: 't-2', cleared: 't-3' }
      expect(await look()).toMatchObject({ ...told, inMode: false })
      await world.setInMode('s', true)
      expect(await look()).toMatchObject({ ...told, inMode: true, text: 'ready' })
    })

    test('a note belongs to its paste: the next one without a note has none', async () => {
      const world = await start()
      const { look, paste } = await openOne(world)
      await world.terminal.paste('s', 's', 't-1', 'text', { ...(await look()), note: 'what-was' })
      await paste('t-2', 'text')
      expect((await look()).note).toBe('')
    })

    test('nothing is typed under another mark, or where there is no pane', async () => {
      const world = await start()
      const { typed } = await openOne(world)
      for (const [name, mark] of [
        ['s', 'other'],
        ['t', 's'],
        ['S', 's'],
      ] as const) {
        expect(await world.terminal.paste(name, mark, 't', 'text')).toBe('refused')
        expect(await world.terminal.press(name, mark, 't', ['Enter'])).toBe('refused')
      }
      expect(await typed()).toEqual([])
    })

    test('a pane in its history gets nothing, and everything later', async () => {
      const world = await start()
      const { paste, press, clear, typed } = await openOne(world)
      await world.setInMode('s', true)
      expect(await paste('t', 'quit q')).toBe('refused')
      expect(await press('t', 'q', 'Enter')).toBe('refused')
      expect(await clear('t', 'C-u')).toBe('refused')
      await world.setInMode('s', false)
      expect(await paste('t', 'text')).toBe('done')
      expect(await press('t', 'Enter')).toBe('done')
      expect(await typed()).toEqual(['paste text', 'press Enter'])
    })

    test('a dead pane gets nothing, and still tells what it got', async () => {
      const world = await start()
      const { paste, press, typed } = await openOne(world)
      expect(await paste('t-1', 'text')).toBe('done')
      await world.dies('s')
      expect(await paste('t-2', 'more')).toBe('refused')
      expect(await press('t-2', 'Enter')).toBe('refused')
      expect(await paste('t-1', 'text')).toBe('already')
      expect(await typed()).not.toContain('paste more')
    })

    test('what is no text, no key or no tag is refused, and nothing is typed', async () => {
      const { paste, press, typed } = await openOne(await start())
      for (const text of ['', 'a\0', 'a\rb', '\x1b[201~', '\x9b201~', '\x03', '\x7f', '\x08'])
        await expect(paste('t', text), JSON.stringify(text)).rejects.toThrow('control characters')
      const noKeys = [
        [],
        [''],
        ['hello'],
        ['Enter', 'enterr'],
        ['-l'],
        ['0x41'],
        ['é'],
        ['\n'],
        ['C-'],
        ['M-x\n'],
      ]
      for (const keys of noKeys) await expect(press('t', ...keys), keys.join()).rejects.toThrow('not keys')
      for (const tag of ['', 'a b', '#{pid}', 'a,b', '}', '-x', '../x']) {
        await expect(paste(tag, 'text')).rejects.toMatchObject({ code: 'INVALID_NAME' })
        await expect(press(tag, 'Enter')).rejects.toMatchObject({ code: 'INVALID_NAME' })
      }
      expect(await typed()).toEqual([])
    })

    test('a cursor that moved since the look keeps everything from being typed', async () => {
      const world = await start()
      const { look, typed } = await openOne(world)
      const { stir, cursor } = await look()
      const moved = { stir, cursor: { ...cursor, x: cursor.x + 1 } }
      expect(await world.terminal.paste('s', 's', 't', 'text', moved)).toBe('refused')
      expect(await world.terminal.press('s', 's', 't', ['Enter'], moved)).toBe('refused')
      expect(await world.terminal.clear('s', 's', 't', ['C-u'], moved)).toBe('refused')
      expect(await world.terminal.press('s', 's', 't', ['Enter'], { stir, cursor })).toBe('done')
      expect(await typed()).toEqual(['press Enter'])
    })

    test('somebody who comes and types since the look does too; after another look it is typed', async () => {
      const world = await start()
      const { look } = await openOne(world)
      const { stir, keyAgeMs } = await look()
      expect(keyAgeMs).toBeNull()
      await world.personTypes('s')
      const now = await look()
      expect(now.keyAgeMs).toBeLessThan(5_000)
      expect(now.stir).not.toBe(stir)
      expect(await world.terminal.paste('s', 's', 't', 'text', { stir })).toBe('refused')
      expect(await world.terminal.press('s', 's', 't', ['Enter'], { stir })).toBe('refused')
      await waitFor('a moment without keys', async () => {
        const seen = await look()
        return (await world.terminal.paste('s', 's', 't', 'text', { stir: seen.stir })) === 'done'
      })
      expect((await look()).pasted).toBe('t')
    })

    test('a key grows old in whole seconds', async () => {
      const world = await start()
      const { look } = await openOne(world)
      await world.personTypes('s')
      await world.pass(2_000)
      const { keyAgeMs } = await look()
      expect(keyAgeMs! % 1000).toBe(0)
      expect(keyAgeMs).toBeGreaterThanOrEqual(1000)
    })
  })
