import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { asNodeId, type NodeId } from '../domain/names/ids.ts'
import { replaceFile } from '../system/disk/replace-file.ts'

const PATTERN = /^[0-9a-f-]{36}$/

/** The identity of this home in the store; created once, by the daemon that holds the lock. */
export async function nodeId(path: string): Promise<NodeId> {
  const known = read(path)
  if (known !== undefined) return asNodeId(known)
  const fresh = randomUUID()
  await replaceFile(path, `${fresh}\n`, { durable: true })
  return asNodeId(fresh)
}

function read(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return PATTERN.test(text) ? text : undefined
  } catch {
    return undefined
  }
}
