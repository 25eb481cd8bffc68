import { createHash } from 'node:crypto'

/** Tells two requests apart. The order of their fields does not count, nor does the environment, which differs by itself. */
export function digestOf({ env: _, ...asked }: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(asked, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  return createHash('sha256').update(text).digest('hex')
}
