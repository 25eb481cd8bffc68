// Owns the real child processes that the agent calls tools.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Stage } from './stage.ts'

const MOST_OUTPUT = 4000

/** Runs a tool and reports how it ended. A tool that fails does not end the script. */
export async function useTool(
  tool: string,
  detail: string,
  argv: readonly [string, ...string[]],
  stage: Stage,
): Promise<void> {
  const [program, ...args] = argv
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  stage.emit({ type: 'tool_start', tool, detail, pid: child.pid })
  const end = () => void child.kill()
  stage.signal.addEventListener('abort', end)
  process.on('exit', end)
  const how = await outcomeOf(child)
  stage.signal.removeEventListener('abort', end)
  process.off('exit', end)
  stage.emit({ type: 'tool_end', tool, ...how })
  stage.signal.throwIfAborted()
}

/** Starts a child in its own session: it outlives the agent, unless somebody ends it. */
export function leaveToolRunning(seconds: number, stage: Stage): void {
  const child = spawn('sleep', [String(seconds)], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
  stage.emit({ type: 'tool_start', tool: 'detached', detail: `${seconds} s`, pid: child.pid })
  const ok = child.pid !== undefined
  stage.emit({ type: 'tool_end', tool: 'detached', ok, detail: ok ? 'left running' : 'could not start' })
}

function outcomeOf(child: ChildProcess): Promise<{ ok: boolean; detail: string }> {
  let output = ''
  const keep = (text: string) => {
    output = (output + text).slice(-MOST_OUTPUT)
  }
  child.stdout?.setEncoding('utf8').on('data', keep)
  child.stderr?.setEncoding('utf8').on('data', keep)
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ ok: false, detail: error.message }))
    child.on('close', (code, signal) => {
      const how = signal === null ? `exit ${code}` : `ended by ${signal}`
      resolve({ ok: code === 0, detail: output === '' ? how : `${how}: ${output.trimEnd()}` })
    })
  })
}
