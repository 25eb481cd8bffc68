// Owns the readable output of a task: its end first, earlier parts on request, and what is added while it works.
import { HEADER_FROM } from '../../../src/protocol/api.ts'
import { readLog } from './call.ts'
import { useResource } from './resource.ts'

/** `from`: the byte of the output at which `text` begins. `next`: the byte after it. */
export type OutputPart = { readonly text: string; readonly from: number; readonly next: number }

/** A part of the output. `from` may be negative: so many bytes before its end. */
export async function readOutput(
  id: string,
  from: number,
  most?: number,
  signal?: AbortSignal,
): Promise<OutputPart> {
  const query = {
    ...(from < 0 ? { last: String(-from) } : { from: String(from) }),
    ...(most === undefined ? {} : { most: String(most) }),
  }
  const answer = await readLog(id, query, signal)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const began = Number(answer.headers.get(HEADER_FROM) ?? Math.max(from, 0))
  return { text: new TextDecoder().decode(bytes), from: began, next: began + bytes.length }
}

/** Nothing announces output: it is looked at anew while somebody sees it. */
const LOOK_AGAIN_MS = 4000
const TAIL_BYTES = 600

/** The very end of the output. */
export const useTail = (id: string) =>
  useResource(['task', id, 'tail'], () => readOutput(id, -TAIL_BYTES), { every: LOOK_AGAIN_MS })
