import { oneLine } from './cells.ts'

/** One row as in RFC 4180, always on one line. */
export const csvRow = (values: readonly (string | null)[]) => values.map(cell).join(',')

function cell(value: string | null): string {
  const text = oneLine(value ?? '')
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
