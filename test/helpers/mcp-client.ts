// A client of `holdfast mcp`, without a library: what goes over the wire is what a test sees.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { CLI, type World } from './world.ts'

type Answer = {
  id: number
  result?: {
    protocolVersion?: string
    tools?: { name: string; outputSchema?: object }[]
    isError?: boolean
    content?: { text: string }[]
    structuredContent?: Record<string, unknown>
  }
}

/** `holdfast mcp` as an agent would start it. */
export function startMcp(world: World, env: Record<string, string> = {}, version = '2025-06-18') {
  const child: ChildProcess = spawn(process.execPath, [CLI, 'mcp'], {
    cwd: world.project,
    env: { ...world.env, ...env },
  })
  const lines: string[] = []
  const waiting = new Map<number, (answer: Answer) => void>()
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line)
    const answer = JSON.parse(line) as Answer
    waiting.get(answer.id)?.(answer)
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let id = 0
  const ask = (method: string, params: object = {}): Promise<Answer> =>
    new Promise((resolve) => {
      waiting.set(++id, resolve)
      child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  const open = () =>
    ask('initialize', {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    })
  const call = async (name: string, args: object = {}) =>
    (await ask('tools/call', { name, arguments: args })).result ?? {}
  return { child, lines, ask, open, call }
}
