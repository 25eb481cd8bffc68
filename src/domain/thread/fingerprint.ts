// Owns which findings count as the same: those that differ only in blanks and numbers, and are about the same things.
import { contentHash } from '../text/content-hash.ts'

export const fingerprintOf = (text: string, refs: readonly string[]): string =>
  contentHash(JSON.stringify([sameWords(text), [...refs].sort()]))

const sameWords = (text: string) => text.replace(/\d+/g, '#').replace(/\s+/g, ' ').trim()
