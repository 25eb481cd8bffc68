import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { privateTmux, startTerminal, terminalOn, trySignal } from '../../helpers/tmux-server.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { bracketed, listen } from '../listener.ts'

const clientPid = (socket: string): number => JSON.parse(readFileSync(`${socket}.client`, 'utf8')).pid

/** The files of texts on their way. */
const texts = (socket: string) => (existsSync(`${socket}.texts`) ? readdirSync(`${socket}.texts`) : [])

test('a connection that is lost between the act and the reply types nothing twice', async () => {
  const { terminal, socket, tmux, dir } = await startTerminal()
  const { paste, press, got } = await listen(terminal, dir)
  // As soon as the tag is there, the server waits for the end of our client before it goes on to the reply.
  const loseReplyAfter = (tag: string) => {
    const pid = clientPid(socket)
    const kill = `run-shell "kill -9 ${pid}; while kill -0 ${pid}; do sleep 0.01; done"`
    const once = `set-hook -gu after-set-option ; ${kill}`
    tmux('set-hook', '-g', 'after-set-option', `if-shell -F -t =hf-s: '#{${tag}}' { ${once} }`)
  }
  loseReplyAfter('@hf_pasted')
  expect(await paste('t', 'text')).toBe('already')
  loseReplyAfter('@hf_entered')
  expect(await press('t', 'Enter')).toBe('already')
  expect(await got()).toBe(`${bracketed('text')}\r`)
  expect(tmux('list-buffers')).toBe('')
})

test('a connection that dies with the request on its way types it once', async () => {
  const { terminal, socket, serverPid, dir } = await startTerminal()
  const { paste, got } = await listen(terminal, dir)
  const server = serverPid()!
  for (const tag of ['a', 'b', 'c', 'd', 'e']) {
    trySignal(server, 'SIGSTOP')
    const typed = paste(tag, tag)
    await waitFor('the request to be made', () => texts(socket)[0])
    trySignal(clientPid(socket), 'SIGKILL')
    trySignal(server, 'SIGCONT')
    expect(['done', 'already']).toContain(await typed)
  }
  expect(await got()).toBe(['a', 'b', 'c', 'd', 'e'].map(bracketed).join(''))
})

test('a successor does not type again what the one before it typed', async () => {
  const { terminal, socket, dir } = await startTerminal()
  const first = await listen(terminal, dir)
  await first.paste('t', 'text')
  await first.press('t', 'Enter')
  const { terminal: next } = terminalOn(socket)
  await next.start()
  expect(await next.paste('s', 's', 't', 'text')).toBe('already')
  expect(await next.press('s', 's', 't', ['Enter'])).toBe('already')
  expect(await first.got()).toBe(`${bracketed('text')}\r`)
})

test('a text that a hung server has not read in time is never pasted; the same tag can be tried again', async () => {
  const { terminal, socket, serverPid, dir } = await startTerminal({ heartbeatTimeoutMs: 1_000 })
  const { paste, got } = await listen(terminal, dir)
  const server = serverPid()!
  trySignal(server, 'SIGSTOP')
  const typed = expect(paste('t', 'text')).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
  const file = await waitFor('the text to be written', () => texts(socket)[0])
  expect(statSync(`${socket}.texts`).mode & 0o777).toBe(0o700)
  expect(statSync(join(`${socket}.texts`, file)).mode & 0o777).toBe(0o600)
  await typed
  expect(texts(socket)).toEqual([])
  trySignal(server, 'SIGCONT')
  await waitFor('the server to answer', () => terminal.health() === 'up')
  expect(await paste('t', 'text')).toBe('done')
  expect(await got()).toBe(bracketed('text'))
})

test('texts that a crash left behind are gone after the start', async () => {
  const { socket, serverPid } = privateTmux()
  mkdirSync(`${socket}.texts`)
  writeFileSync(`${socket}.texts/1`, 'secret')
  const { terminal } = terminalOn(socket)
  await terminal.start()
  serverPid()
  expect(() => statSync(`${socket}.texts/1`)).toThrow('ENOENT')
})

test('where no text can be written, nothing is pasted, and it is told', async () => {
  const { terminal, socket, dir } = await startTerminal()
  const { paste, got } = await listen(terminal, dir)
  writeFileSync(`${socket}.texts`, 'in the way')
  await expect(paste('t', 'text')).rejects.toMatchObject({ code: 'HOME_NOT_WRITABLE' })
  rmSync(`${socket}.texts`)
  expect(await paste('t', 'text')).toBe('done')
  expect(await got()).toBe(bracketed('text'))
})
