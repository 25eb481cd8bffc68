import { oneLine } from './cells.ts'

/** One row as RFC 4180 has it, on one line whatever is in it. */
export const csvRow = (values: readonly (string | null)[]) => values.map(cell).join(',')

function cell(value: string | null): string {
  const text = oneLine(value ?? '')
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
