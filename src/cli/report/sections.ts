// Owns the parts of a report: what was asked, what happened, what was said, and what came of it.
import type {
  CutTextJson,
  ReportInputJson,
  ReportJson,
  ReportRunJson,
} from '../../protocol/json/report-json.ts'
import { type Html, html, NOTHING } from './html.ts'
import { endWords } from './timeline.ts'
import { bytesOf, clockOf, msOf, spanOf } from './times.ts'

/** A text, and what of it is not shown. */
export function cutText({ text, bytes, cut }: CutTextJson): Html {
  const shown = bytesOf(Buffer.byteLength(text))
  const note = html`<p class="note small">${cut === 'begin' ? 'The beginning is' : 'The rest is'} left out: ${shown} of ${bytesOf(bytes)} are shown.</p>`
  const body = text === '' ? html`<p class="dim">Nothing.</p>` : html`<pre>${text}</pre>`
  if (cut === null) return body
  return cut === 'begin' ? html`${note}${body}` : html`${body}${note}`
}

export function runs({ runs: all }: ReportJson): Html {
  if (all.length === 0) return html`<p class="dim">No run has begun.</p>`
  return html`${all.map(oneRun)}`
}

function oneRun(run: ReportRunJson): Html {
  const [from, to] = [Date.parse(run.started_at), msOf(run.ended_at)]
  const isBad = run.state !== 'live' && run.state !== 'launching' && run.exit !== 'code 0'
  const length = to === null ? '' : `, ${spanOf(to - from)}`
  return html`<div class="card"><h3>Run ${run.number} <span class="dim">(${run.how})</span> <span class="${isBad ? 'bad' : 'good'}">${endWords(run)}</span></h3>
<p class="small dim">${clockOf(run.started_at)} to ${run.ended_at === null ? 'now' : clockOf(run.ended_at)}${length}; ${run.tools} tool calls begun</p>
${run.told === null ? NOTHING : html`<details><summary class="small">What it was told at its beginning</summary>${cutText(run.told)}</details>`}
${evidence(run.evidence)}
${
  run.steps.length === 0
    ? NOTHING
    : html`<details><summary class="small">Its last ${run.steps.length} steps</summary><ul class="plain small">${run.steps.map(
        ({ tool, detail, ok, at }) =>
          html`<li><span class="${ok === null ? 'wait' : ok ? 'good' : 'bad'}">${ok === null ? '…' : ok ? '✓' : '✗'}</span> <b>${tool}</b> <code>${detail}</code> <span class="dim">${at === null ? '' : clockOf(at)}</span></li>`,
      )}</ul></details>`
}</div>`
}

const evidence = (all: readonly { source: string; fact: string }[]): Html =>
  all.length === 0
    ? NOTHING
    : html`<ul class="plain small">${all.map(({ source, fact }) => html`<li><span class="dim">${source.replaceAll('_', ' ')}:</span> ${fact}</li>`)}</ul>`

export function story({ story: all, story_left_out }: ReportJson): Html {
  const note =
    story_left_out === 0
      ? NOTHING
      : html`<p class="note small">${story_left_out} earlier steps are left out.</p>`
  return html`${note}<table><thead><tr><th>when (UTC)</th><th>what</th><th>why</th></tr></thead><tbody>${all.map(
    (step) =>
      html`<tr><td class="time small">${clockOf(step.at)}</td><td>${step.event.replaceAll('_', ' ')}</td><td>${step.reason}${evidence(step.evidence)}</td></tr>`,
  )}</tbody></table>`
}

export function inputs({ inputs: all, prompt }: ReportJson): Html {
  if (all.length === 0) return html`<p class="dim">Nothing was said to it after its start.</p>`
  return html`${all.map((input) => oneInput(input, prompt.text))}`
}

/** Only of prompts it is known whether they were heard, and when their turn was over. */
function oneInput(input: ReportInputJson, prompt: string): Html {
  const stopped = input.state === 'failed' || input.state === 'unconfirmed' ? input.state : null
  const stations: [string, string | null][] = [
    ['queued', input.queued_at],
    ['said', input.said_at],
    ['heard', input.heard_at],
    ['acknowledged', input.steps.findLast(({ event }) => event === 'acknowledged')?.at ?? null],
    ['done', input.done_at],
  ]
  const isPrompt = input.kind === 'prompt' || input.kind === 'continuation'
  const shown = stations.filter(
    ([name, at]) => at !== null || name === 'said' || (isPrompt && name !== 'acknowledged'),
  )
  return html`<div class="card"><h3>${input.number}. ${input.kind} <span class="dim">by ${input.by}</span></h3>
${input.text.text === prompt ? html`<p class="dim">The prompt, as above.</p>` : input.text.text === '' ? NOTHING : cutText(input.text)}
<ol class="parcel">${shown.map(
    ([name, at]) =>
      html`<li class="${at === null ? '' : 'done'}">${name}<br>${at === null ? '—' : clockOf(at)}</li>`,
  )}${stopped === null ? NOTHING : html`<li class="stopped">${stopped} ${input.code}</li>`}</ol></div>`
}

export function changes({ changes: found }: ReportJson): Html {
  if (found.why_unknown !== null) return html`<p class="note">Not known: ${found.why_unknown}.</p>`
  const intro = html`<p class="small dim">The repository as it is now, compared with ${found.since === null ? 'the empty one that was' : html`commit <code>${found.since.slice(0, 12)}</code>, which was`} there when the session was created. What others changed since is in it. Files that differed already, and were not touched since, are left out.</p>`
  if (found.files.length === 0) return html`${intro}<p>No file differs.</p>`
  const lines = (count: number | null, sign: string) => (count === null ? 'not counted' : `${sign}${count}`)
  return html`${intro}<table><tbody>${found.files.map(
    ({ path, added, removed, before }) =>
      html`<tr><td><code>${path}</code>${before ? html` <span class="dim small">differed before, too</span>` : NOTHING}</td><td class="good small lines">${lines(added, '+')}</td><td class="bad small lines">${added === null ? '' : lines(removed, '−')}</td></tr>`,
  )}</tbody></table>
${found.files_left_out === 0 ? NOTHING : html`<p class="note small">${found.files_left_out} more files changed.</p>`}
<pre class="diff">${found.patch.replace(/\n$/, '').split('\n').map(patchLine)}</pre>
${found.patch_cut ? html`<p class="note small">The rest of the diff is left out.</p>` : NOTHING}`
}

function patchLine(line: string): Html {
  if (line.startsWith('diff ')) return html`<span class="f">${line}</span>`
  if (line.startsWith('@@')) return html`<span class="h">${line}</span>`
  if (/^(\+\+\+|---|index |new file|deleted file)/.test(line)) return html`<span class="dim">${line}</span>`
  const tone = { '+': 'a', '-': 'd' }[line[0] ?? ''] ?? ''
  return html`<span class="${tone}">${line}</span>`
}

export function result({ result: found }: ReportJson): Html {
  return found === null
    ? html`<p class="dim">No result was handed in.</p>`
    : cutText({ ...found, text: pretty(found.text) })
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

export function verification({ verification: found }: ReportJson): Html {
  if (found === null) return html`<p class="dim">It has not been verified.</p>`
  return html`<p><span class="badge ${found.verified ? 'good' : 'bad'}">${found.verified ? 'verified' : 'not verified'}</span> <span class="dim">${clockOf(found.at)}${found.rounds > 0 ? `, sent back ${found.rounds} ×` : ''}</span></p>
${found.failures.length === 0 ? NOTHING : html`<ul>${found.failures.map((one) => html`<li>${one}</li>`)}</ul>`}`
}
