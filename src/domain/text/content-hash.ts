import { createHash } from 'node:crypto'

/** SHA-256 in hex: what a person approved is this content and no other. */
export const contentHash = (content: string | Uint8Array) =>
  createHash('sha256').update(content).digest('hex')
