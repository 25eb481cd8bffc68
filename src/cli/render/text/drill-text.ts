// Owns the text of a drill's report: a row for each blow, what was lost, and a summary.
import type { BlowJson, DrillJson } from '../../../drill/report.ts'
import type { Colour, Paint } from '../print/colour.ts'
import { type Column, table } from '../print/table.ts'

const colours: Readonly<Record<BlowJson['verdict'], Colour>> = {
  pass: 'green',
  fail: 'red',
  skipped: 'yellow',
}

export function drillLines(report: DrillJson, paint: Paint, width: number): string[] {
  const columns: Column<BlowJson>[] = [
    { title: 'BLOW', of: ({ name }) => name, least: 6, rank: 5 },
    { title: 'WHAT WAS DONE', of: ({ about }) => about, least: 12, rank: 0 },
    { title: 'DETECT', of: ({ detect_ms }) => ms(detect_ms), least: 6, rank: 3 },
    { title: 'RESUME', of: ({ resume_ms }) => ms(resume_ms), least: 6, rank: 2 },
    { title: 'LOST', of: lostText, least: 4, rank: 1 },
    {
      title: 'VERDICT',
      of: ({ verdict }) => verdict,
      least: 7,
      rank: 4,
      paint: (text, { verdict }) => paint(colours[verdict], text),
    },
  ]
  return [...table(columns, report.blows, width), ...report.blows.flatMap(details), '', summary(report)]
}

const ms = (value: number | null) => (value === null ? '—' : `${value} ms`)

function lostText({ verdict, lost }: BlowJson): string {
  if (verdict === 'skipped') return '—'
  return lost.length === 0 ? 'nothing' : 'see below'
}

const details = ({ name, lost, why }: BlowJson): string[] =>
  [...lost, ...(why === null ? [] : [`skipped: ${why}`])].map((words) => `  ${name}: ${words}`)

function summary(report: DrillJson): string {
  const { passed, failed, skipped, median_detect_ms, median_resume_ms, kept } = report
  const counts = [`${passed} of ${passed + failed} passed`, ...(skipped > 0 ? [`${skipped} skipped`] : [])]
  const verdict = report.ok ? 'nothing lost' : `${failed} failed`
  const figures = `median detect ${ms(median_detect_ms)}, resume ${ms(median_resume_ms)}`
  return `${counts.join(', ')}: ${verdict}; ${figures}${kept === null ? '' : `; kept in ${kept}`}`
}
