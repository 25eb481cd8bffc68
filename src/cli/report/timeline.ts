// Owns the drawing of a session's life: its phases in one lane, and below it a lane for each run.
import type { ReportJson, ReportRunJson } from '../../protocol/json/report-json.ts'
import { type Html, html, NOTHING } from './html.ts'
import { msOf, spanOf } from './times.ts'

const WIDTH = 900
const LEFT = 70
const LANE = 20
const BAR = 13
/** More lanes could not be told apart; the last runs are shown. */
const MOST_LANES = 24

type Part = { readonly from: number; readonly to: number; readonly phase: string }

export function timeline(report: ReportJson): Html {
  const parts = phasesOf(report)
  const [first] = parts
  const last = parts.at(-1)
  if (first === undefined || last === undefined) return NOTHING
  const [from, to] = [first.from, Math.max(last.to, first.from + 1)]
  const x = (at: number) => LEFT + ((Math.min(to, Math.max(from, at)) - from) / (to - from)) * (WIDTH - LEFT)
  const runs = report.runs.slice(-MOST_LANES)
  const height = (runs.length + 1) * LANE + 24
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Timeline: phases and runs">
${ticks(from, to, height, x)}
<text x="0" y="${BAR - 2}">phases</text>
${parts.map(
  (part) =>
    html`<rect class="p-${part.phase}" x="${x(part.from).toFixed(1)}" y="0" width="${widthOf(
      x(part.from),
      x(part.to),
    )}" height="${BAR}"><title>${part.phase.replaceAll('_', ' ')}: ${spanOf(part.to - part.from)}</title></rect>`,
)}
${runs.map((run, lane) => runBar(run, (lane + 1) * LANE, x, to))}
</svg>${legend(parts)}`
}

/** The phases of the story, each until the next. */
function phasesOf({ story, made_at, session }: ReportJson): Part[] {
  const end = msOf(session.completed_at) ?? Date.parse(made_at)
  return story.flatMap(({ at, phase }, index) => {
    const [from, to] = [Date.parse(at), msOf(story[index + 1]?.at ?? null) ?? end]
    return phase === null ? [] : [{ from, to: Math.max(from, to), phase }]
  })
}

function runBar(run: ReportRunJson, y: number, x: (at: number) => number, end: number): Html {
  const from = Date.parse(run.started_at)
  const to = msOf(run.ended_at) ?? end
  const words = `run ${run.number} (${run.how}): ${endWords(run)}, ${spanOf(to - from)}, ${run.tools} tool calls`
  return html`<text x="0" y="${y + BAR - 2}">run ${run.number}</text>
<rect class="${toneOf(run)}" x="${x(from).toFixed(1)}" y="${y}" width="${widthOf(x(from), x(to))}" height="${BAR}"><title>${words}</title></rect>`
}

export function endWords({ state, exit, failure }: ReportRunJson): string {
  if (state === 'live' || state === 'launching') return state === 'live' ? 'still running' : 'being started'
  return [exit === null ? state : `${state} with ${exit}`, failure].filter(Boolean).join(', ')
}

function toneOf({ state, exit }: ReportRunJson): string {
  if (state === 'live' || state === 'launching') return 'r-open'
  return exit === 'code 0' ? 'r-good' : 'r-bad'
}

/** Thin bars stay visible. */
const widthOf = (from: number, to: number) => Math.max(2, to - from).toFixed(1)

function ticks(from: number, to: number, height: number, x: (at: number) => number): Html {
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => from + share * (to - from))
  return html`${marks.map((at, index) => {
    const anchor = ['start', 'middle', 'middle', 'middle', 'end'][index]
    return html`<line class="axis" x1="${x(at).toFixed(1)}" x2="${x(at).toFixed(1)}" y1="0" y2="${height - 16}"/><text x="${x(at).toFixed(1)}" y="${height - 4}" text-anchor="${anchor}">${index === 0 ? '0' : `+${spanOf(at - from)}`}</text>`
  })}`
}

function legend(parts: readonly Part[]): Html {
  const phases = [...new Set(parts.map(({ phase }) => phase))]
  return html`<div class="legend">${phases.map((phase) => {
    const total = parts.reduce((sum, part) => sum + (part.phase === phase ? part.to - part.from : 0), 0)
    return html`<span><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="p-${phase}" width="10" height="10"/></svg>${phase.replaceAll('_', ' ')} ${spanOf(total)}</span>`
  })}</div>`
}
