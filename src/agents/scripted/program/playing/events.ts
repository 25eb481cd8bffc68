// Owns the event lines of the agent: JSON on stdout.
import { writeSync } from 'node:fs'
import type { Failure } from '../script/step-table.ts'

export type AgentEvent =
  | { readonly type: 'session'; readonly id: string; readonly model?: string }
  | { readonly type: 'prompt'; readonly text: string }
  | { readonly type: 'heard'; readonly ref: string }
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  | {
      readonly type: 'tool_start'
      readonly tool: string
      readonly detail: string
      readonly pid?: number
      readonly file?: string
    }
  | { readonly type: 'tool_end'; readonly tool: string; readonly ok: boolean; readonly detail: string }
  | {
      readonly type: 'ask'
      readonly question: string
      readonly options: readonly string[]
      readonly ref?: string
    }
  | { readonly type: 'answer'; readonly answer: string }
  | { readonly type: 'limit'; readonly message: string; readonly until: number }
  | {
      readonly type: 'usage'
      readonly tokens_in: number
      readonly tokens_out: number
      readonly cost_usd: number
    }
  | {
      readonly type: 'result'
      readonly ok: boolean
      readonly text: string
      readonly failure?: Failure
      readonly session_id: string
    }

const STDOUT = 1
const RETRY_MS = 5
const GARBAGE = Buffer.concat([
  Buffer.from('this is not JSON {\n'),
  Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a]),
])

export const printEvent = (event: AgentEvent) => print(Buffer.from(`${JSON.stringify(event)}\n`))
export const printGarbage = () => print(GARBAGE)

/** One write for the whole line, so that kill -9 leaves whole lines. When the pipe is full, it goes on where it stopped. */
function print(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(STDOUT, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}
