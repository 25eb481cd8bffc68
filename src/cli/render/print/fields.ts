import { oneLine } from './cells.ts'

/** `Label:   value` lines with the values in one column; fields that are null or empty are left out. */
export function fields(pairs: readonly (readonly [string, string | null])[], indent = ''): string[] {
  const shown = pairs.filter((pair): pair is [string, string] => pair[1] !== null && pair[1] !== '')
  const width = Math.max(0, ...shown.map(([label]) => label.length)) + 1
  return shown.map(([label, value]) => `${indent}${`${label}:`.padEnd(width)} ${oneLine(value)}`)
}
