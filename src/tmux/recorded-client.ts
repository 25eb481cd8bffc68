// Owns the file that says which control client is ours, so that the next daemon can end it if we die first.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Clock } from '../ports/clock.ts'
import { identityOf, signal, untilGone } from './identity.ts'

const GONE_WITHIN_MS = 5_000

const fileOf = (socket: string) => `${socket}.client`

/** Synchronous, so that nothing happens between the client's start and this. */
export function recordClient(socket: string, pid: number): void {
  const identity = identityOf(pid)
  if (identity)
    writeFileSync(fileOf(socket), JSON.stringify({ ...identity, bootId: bootId() }), { mode: 0o600 })
}

export const forgetClient = (socket: string) => rmSync(fileOf(socket), { force: true })

/** An orphan whose reader vanished keeps the server from ending. It holds nothing of value: SIGKILL. */
export async function endRecordedClient(socket: string, clock: Clock): Promise<void> {
  const old = readRecord(socket)
  if (old?.bootId === bootId() && old.startTicks > 0 && signal(old, 'SIGKILL'))
    await untilGone(old, clock, GONE_WITHIN_MS)
}

function readRecord(socket: string): { pid: number; startTicks: number; bootId: string } | undefined {
  try {
    const { pid, startTicks, bootId } = JSON.parse(readFileSync(fileOf(socket), 'utf8'))
    return Number.isInteger(pid) && pid > 1 ? { pid, startTicks, bootId } : undefined
  } catch {
    return undefined
  }
}

/** Start ticks count from boot. Without /proc there is none, and nothing is ended. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return ''
  }
}
