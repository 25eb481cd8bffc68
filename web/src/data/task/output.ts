// Owns the readable output of a task: its end first, earlier parts on request, and what is added while it works.
import { readLog } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

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
  const { bytes, from: began = Math.max(from, 0) } = await readLog(id, query, signal)
  return { text: new TextDecoder().decode(bytes), from: began, next: began + bytes.length }
}

/** Nothing announces output: it is looked at anew while somebody sees it. */
const LOOK_AGAIN_MS = 4000
const TAIL_BYTES = 600

/** The very end of the output. */
export const useTail = (id: string) =>
  useResource(['task', id, 'tail'], () => readOutput(id, -TAIL_BYTES), { every: LOOK_AGAIN_MS })
