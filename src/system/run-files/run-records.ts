// Owns what the shim leaves behind: the pid file and the exit record.
import type { ExitRecord, StartRecord } from '../../ports/run/run-files.ts'
import { readPart } from '../disk/read-part.ts'

const LONGEST_BYTES = 4096

/** The content of the pid file of a start that was called off: no shim starts an agent after that. */
export const VOID = 'void\n'

/** Empty when there is no such file. */
export async function readRecord(path: string): Promise<string> {
  const { bytes } = await readPart(path, 0, LONGEST_BYTES)
  return Buffer.from(bytes).toString()
}

/** `<pid> <start ticks> <boot id>`. Undefined when void or damaged. */
export function parseStart(text: string): StartRecord | undefined {
  const [, pid, startTicks, bootId] = /^([1-9]\d*) (\d+) (\S+)\n$/.exec(text) ?? []
  return bootId === undefined ? undefined : { pid: Number(pid), startTicks: Number(startTicks), bootId }
}

/** Undefined when empty, cut off or not ours: a damaged record proves nothing. */
export function parseExit(text: string): ExitRecord | undefined {
  const record = parseObject(text)
  if (record === undefined) return undefined
  const { code, signal, at, boot_id: bootId, hangup, late } = record
  if (typeof at !== 'number' || typeof bootId !== 'string') return undefined
  const facts = { atMs: at, bootId, hangup: typeof hangup === 'boolean' ? hangup : null, late: late === true }
  if (isExitCode(code) && signal === null) return { code, signal, ...facts }
  if (code === null && isSignal(signal)) return { code, signal, ...facts }
  return undefined
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const isExitCode = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
const isSignal = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Z][A-Z0-9+-]*$/.test(value)
