// Owns the whole report: one file that needs no network and runs no script.
import type { ReportJson } from '../../protocol/json/report-json.ts'
import { type Html, html, NOTHING } from './html.ts'
import { changes, cutText, inputs, result, runs, story, verification } from './sections.ts'
import { STYLE } from './style.ts'
import { timeline } from './timeline.ts'
import { clockOf, spanOf } from './times.ts'

/** Even if a text got out of its place, nothing could be loaded or run. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

export function reportPage(report: ReportJson): string {
  const { session } = report
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${session.title} · ${session.session_id}</title>
<style>${{ html: STYLE }}</style></head><body><main>
<p class="dim small">Holdfast report · <code>${session.session_id}</code></p>
<h1>${session.title}</h1>
<p>${badge(report)} ${why(report)}</p>
${facts(report)}
<h2>What it was asked</h2>${cutText(report.prompt)}
<h2>Timeline</h2>${timeline(report)}
<h2>Result</h2>${result(report)}
<h2>Verification</h2>${verification(report)}
<h2>Files changed</h2>${changes(report)}
<h2>Runs</h2>${runs(report)}
<h2>What was said to it</h2>${inputs(report)}
<h2>Output</h2>${cutText(report.output)}
<h2>All steps</h2><details><summary>${report.story.length} steps, each with what it was concluded from</summary>${story(report)}</details>
<p class="dim small">Made ${clockOf(report.made_at)} UTC by Holdfast ${report.version}. Known forms of secrets are removed; read it once more before you pass it on.</p>
</main></body></html>
`.html
}

function badge({ session }: ReportJson): Html {
  const tone = { COMPLETED: 'good', FAILED: 'bad', KILLED: 'bad' }[session.status as string]
  const phase =
    session.completed_at === null && session.phase !== null ? ` · ${session.phase.replaceAll('_', ' ')}` : ''
  const asks =
    session.phase === 'asking' || session.phase === 'stuck' || session.phase === 'stopped_by_person'
  return html`<span class="badge ${tone ?? (asks ? 'wait' : 'work')}">${session.status}${phase}</span>`
}

function why({ session, story: steps }: ReportJson): Html {
  const last = steps.at(-1)
  const [question] = session.questions
  if (question !== undefined) return html`It asks: ${question.question}`
  return last === undefined ? NOTHING : html`<span class="dim">${last.reason}</span>`
}

function facts({ session, runs: all, made_at }: ReportJson): Html {
  const ended = session.completed_at
  const rows: [string, string | null][] = [
    ['Agent', [session.agent, session.model].filter(Boolean).join(' · ')],
    ['Project', session.project],
    ['Created (UTC)', `${clockOf(session.created_at)} by ${session.created_by}`],
    [ended === null ? 'As of (UTC)' : 'Ended (UTC)', clockOf(ended ?? made_at)],
    [
      ended === null ? 'Goes on for' : 'Took',
      spanOf(Date.parse(ended ?? made_at) - Date.parse(session.created_at)),
    ],
    ['Runs', String(all.length)],
    ['Tokens', usage(session.tokens_in, session.tokens_out)],
    ['Cost', session.cost_usd > 0 ? `$${session.cost_usd.toFixed(2)}` : null],
    ['Started by', session.parent_session],
    ['Archived (UTC)', session.archived_at === null ? null : clockOf(session.archived_at)],
  ]
  return html`<dl class="facts">${rows.map(([name, value]) =>
    value === null ? NOTHING : html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`
}

const usage = (tokensIn: number, tokensOut: number) =>
  tokensIn + tokensOut === 0
    ? null
    : `${tokensIn.toLocaleString('en')} in, ${tokensOut.toLocaleString('en')} out`
