// Owns reading the output of a task in parts of whole lines.
import { readLog } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'
import { type OutputPart, partOf } from './whole-lines.ts'

/** `isFull`: more may stand behind it already. */
export type ReadPart = OutputPart & { readonly isFull: boolean }

/** The end of the output: at most so many bytes. */
export async function readEnd(id: string, most: number, signal?: AbortSignal): Promise<ReadPart> {
  const { bytes, from = 0 } = await readLog(id, { last: String(most), most: String(most) }, signal)
  return { ...partOf(bytes, from, { begin: true, end: true }), isFull: bytes.length >= most }
}

/** What follows a part that ends before the byte `from`. */
export async function readOn(
  id: string,
  from: number,
  most: number,
  signal?: AbortSignal,
): Promise<ReadPart> {
  const { bytes } = await readLog(id, { from: String(from), most: String(most) }, signal)
  return { ...partOf(bytes, from, { begin: false, end: true }), isFull: bytes.length >= most }
}

/** What stands before a part that begins at the byte `until`. */
export async function readBefore(id: string, until: number, most: number): Promise<OutputPart> {
  const from = Math.max(0, until - most)
  const { bytes } = await readLog(id, { from: String(from), most: String(until - from) })
  return partOf(bytes, from, { begin: true, end: false })
}

/** Nothing announces output: it is looked at anew while somebody sees it. */
const LOOK_AGAIN_MS = 4000
const TAIL_BYTES = 1500

/** The very end of the output. */
export const useTail = (id: string, enabled: boolean) =>
  useResource(['task', id, 'tail'], () => readEnd(id, TAIL_BYTES), { every: LOOK_AGAIN_MS, enabled })
