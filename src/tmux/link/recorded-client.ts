// Owns the file that names our control client, so that the next daemon can end it if this one is killed.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { KnownProcesses } from './known-processes.ts'

const GONE_WITHIN_MS = 5_000

const fileOf = (socket: string) => `${socket}.client`

/** Synchronous, so that nothing happens between the start of the client and this record. */
export function recordClient(socket: string, pid: number, processes: KnownProcesses): void {
  const identity = processes.identityOf(pid)
  const { bootId } = processes
  if (identity) writeFileSync(fileOf(socket), JSON.stringify({ ...identity, bootId }), { mode: 0o600 })
}

export const forgetClient = (socket: string) => rmSync(fileOf(socket), { force: true })

/**
 * Kills the control client of a daemon that was killed: without a reader, it would keep the server from ending. Without
 * start ticks (macOS) the pid may belong to another process by now, so nothing is killed.
 */
export async function endRecordedClient(socket: string, processes: KnownProcesses): Promise<void> {
  const old = readRecord(socket)
  if (old?.bootId === processes.bootId && old.startTicks > 0 && processes.signal(old, 'SIGKILL'))
    await processes.untilGone(old, GONE_WITHIN_MS)
}

function readRecord(socket: string): { pid: number; startTicks: number; bootId: string } | undefined {
  try {
    const { pid, startTicks, bootId } = JSON.parse(readFileSync(fileOf(socket), 'utf8'))
    return Number.isInteger(pid) && pid > 1 ? { pid, startTicks, bootId } : undefined
  } catch {
    return undefined
  }
}
