// Owns sizes in bytes as people write and read them.
import { HoldfastError } from '../errors.ts'
import { printable } from '../names/names.ts'

const UNITS = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 } as const
type Unit = keyof typeof UNITS

/** Takes `500KB`, `100MB`, `1.5GB`, with 1 KB as 1024 bytes; a number without a unit is bytes. */
export function parseByteSize(text: string): number {
  const [, amount, unit = 'B'] = /^(\d+(?:\.\d+)?)\s*([KMGT]?B)?$/.exec(text.trim().toUpperCase()) ?? []
  if (amount === undefined)
    throw new HoldfastError('USAGE', `'${printable(text)}' is not a size; write 500KB, 100MB or 1GB.`)
  return Math.round(Number(amount) * UNITS[unit as Unit])
}

/** The shortest exact text, which `parseByteSize` can read. */
export function byteSizeText(bytes: number): string {
  const exact = (Object.keys(UNITS) as Unit[]).findLast((name) => bytes % UNITS[name] === 0 && bytes > 0)
  return `${bytes / UNITS[exact ?? 'B']}${exact ?? 'B'}`
}

/** Rounded, for people: `512.3 MB`. */
export function roughByteSize(bytes: number): string {
  const unit = (Object.keys(UNITS) as Unit[]).findLast((name) => bytes >= UNITS[name]) ?? 'B'
  return `${Math.round((bytes / UNITS[unit]) * 10) / 10} ${unit}`
}
