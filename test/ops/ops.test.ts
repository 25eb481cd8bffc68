import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseCommand } from '../../src/cli/parse-command.ts'
import { catalogue } from '../../src/metrics/catalogue.ts'
import { groupedBy, metricsIn } from './promql.ts'

type Target = { expr: string; legendFormat: string }
type Fields = { defaults: { unit: string; decimals?: number } }
type Place = { x: number; y: number; w: number; h: number }
const dashboard = JSON.parse(readFileSync('ops/grafana/holdfast.json', 'utf8')) as {
  panels: {
    id: number
    title: string
    type: string
    targets?: Target[]
    gridPos: Place
    fieldConfig?: Fields
  }[]
  templating: { list: { query: string | { query: string } }[] }
}
const rules = parse(readFileSync('ops/prometheus/alerts.yml', 'utf8')) as {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[]
}
const alerts = rules.groups.flatMap((group) => group.rules)
const shown = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ where: `panel ${title}`, expr, legendFormat })),
)
const all = [...shown, ...alerts.map(({ alert, expr }) => ({ where: alert, expr, legendFormat: '' }))]

/** Those of Prometheus and node_exporter. */
const OTHERS = new Set(['up', 'node_textfile_mtime_seconds'])
const FROM_SCRAPE = ['instance', 'job', 'file']

/** The labels of a metric as it is scraped; undefined when there is none of this name. */
function labelsOf(metric: string): readonly string[] | undefined {
  const own = catalogue as Record<string, { type: string; labels: readonly string[] }>
  const base = metric.replace(/_(bucket|sum|count)$/, '')
  if (own[metric] !== undefined && own[metric].type !== 'histogram') return own[metric].labels
  if (base !== metric && own[base]?.type === 'histogram') return [...own[base].labels, 'le']
  return undefined
}

test.each(all)('$where names real metrics and their real labels: $expr', ({ expr, legendFormat }) => {
  const used = metricsIn(expr)
  expect(used).not.toEqual([])
  const known = used.flatMap(({ metric, labels }) => {
    if (OTHERS.has(metric)) return FROM_SCRAPE
    const real = labelsOf(metric)
    expect(real, metric).toBeDefined()
    expect([...real!, ...FROM_SCRAPE]).toEqual(expect.arrayContaining([...labels]))
    return [...real!, ...FROM_SCRAPE]
  })
  expect(known).toEqual(expect.arrayContaining(groupedBy(expr)))
  const inLegend = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label)
  expect(known).toEqual(expect.arrayContaining(inLegend))
})

test('the panels of the dashboard have numbers of their own, and its variable a real metric', () => {
  const ids = dashboard.panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const asked = dashboard.templating.list.flatMap(({ query }) =>
    typeof query === 'string' ? [] : [query.query],
  )
  expect(asked).toEqual(['label_values(holdfast_build_info, instance)'])
})

test('no panel of the dashboard covers another one, and none is wider than the board', () => {
  const places = dashboard.panels.map(({ gridPos }) => gridPos)
  const overlap = (a: Place, b: Place) =>
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
  expect(places.filter(({ x, w }) => x + w > 24)).toEqual([])
  expect(places.filter((one, at) => places.slice(at + 1).some((other) => overlap(one, other)))).toEqual([])
})

/** Metrics that are neither drawn nor watched, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  holdfast_tasks: 'most of them have ended: those in a phase, and those that end, are drawn',
  holdfast_runs_started_total: 'those that ended are drawn, with how',
  holdfast_questions_total: 'the open ones and the oldest are drawn',
  holdfast_question_wait_seconds: 'how long people take says nothing about the installation',
  holdfast_stuck_total: 'those that are stuck now are drawn',
  holdfast_verifications_total: 'the histogram of verifications counts them too',
  holdfast_gates_closed_total: 'those that are closed now are drawn',
  holdfast_disk_warnings_total: 'the space itself is drawn, and too much of it has an alert',
}

test('every metric is in the dashboard or in an alert, or it is said why not', () => {
  const used = new Set(all.flatMap(({ expr }) => metricsIn(expr).map(({ metric }) => metric)))
  const own = Object.entries(catalogue).map(([name, { type }]) => ({
    name,
    scraped: type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  }))
  const missing = own.filter(({ scraped }) => !scraped.some((name) => used.has(name)))
  expect(missing.map(({ name }) => name).sort()).toEqual(Object.keys(LEFT_OUT).sort())
})

test('what waits for a channel, what was set aside, what fails and what is held back is drawn, not only watched', () => {
  const onBoard = new Set(shown.flatMap(({ expr }) => metricsIn(expr).map(({ metric }) => metric)))
  expect([...onBoard]).toEqual(
    expect.arrayContaining([
      'holdfast_notices_waiting',
      'holdfast_notices_set_aside',
      'holdfast_channel_failing',
      'holdfast_events_set_aside',
      'holdfast_pruning_held',
    ]),
  )
})

test('the open questions of several daemons are added up: each tells of its own', () => {
  const exprs = shown.flatMap(({ expr }) => (expr.includes('holdfast_questions_open') ? [expr] : []))
  expect(exprs).toEqual(['sum(holdfast_questions_open{instance=~"$instance"})'])
})

test('what is counted is shown as a whole number, also where Prometheus estimates it', () => {
  const counting = dashboard.panels.filter(
    ({ type, title, fieldConfig }) =>
      type === 'stat' && title !== 'Version' && fieldConfig?.defaults.unit === 'short',
  )
  expect(counting.length).toBeGreaterThan(5)
  for (const { title, fieldConfig } of counting) expect(fieldConfig?.defaults.decimals, title).toBe(0)
})

test.each(
  alerts.flatMap(({ alert, annotations }) =>
    [
      ...Object.values(annotations)
        .join(' ')
        .matchAll(/`(holdfast[^`]*)`/g),
    ].map(([, line = '']) => [alert, line]),
  ),
)('%s offers a command that is not refused: %s', (_, line) => {
  const argv = line.split(' ').slice(1)
  const parsed = parseCommand(argv)
  const isPrune = parsed.kind === 'command' && parsed.command.name === 'prune'
  // It removes nothing before it is told how old.
  expect(!isPrune || argv.includes('--older-than')).toBe(true)
})

test('every name that must be watched has an alert', () => {
  const watched = new Set(alerts.flatMap(({ expr }) => metricsIn(expr).map(({ metric }) => metric)))
  for (const name of [
    'up',
    'holdfast_tasks_ended_total',
    'holdfast_tasks_in_phase',
    'holdfast_question_oldest_seconds',
    'holdfast_gate_closed_seconds',
    'holdfast_runs_ended_total',
    'holdfast_store_commit_seconds_bucket',
    'holdfast_home_free_bytes',
    'holdfast_subscriber_lag_events',
    'holdfast_events_set_aside',
    'holdfast_pruning_held',
  ])
    expect(watched).toContain(name)
})

test.each([
  ['sum by (le, stage) (rate(a_bucket{x="b"}[5m])) > 1e3', ['a_bucket'], ['le', 'stage']],
  ['up{job="holdfast"} == 0 or time() - m{file=~".*c[.]prom"} > 300', ['up', 'm'], []],
])('the reader of expressions finds in %s what is there', (expr, metrics, groups) => {
  expect(metricsIn(expr).map(({ metric }) => metric)).toEqual(metrics)
  expect(groupedBy(expr)).toEqual(groups)
})
