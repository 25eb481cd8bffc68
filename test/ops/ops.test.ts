import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { catalogue } from '../../src/metrics/catalogue.ts'
import { groupedBy, metricsIn } from './promql.ts'

type Target = { expr: string; legendFormat: string }
const dashboard = JSON.parse(readFileSync('ops/grafana/holdfast.json', 'utf8')) as {
  panels: { id: number; title: string; targets?: Target[] }[]
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

test('the dashboard shows every histogram, and every name that must be watched has an alert', () => {
  const onBoard = new Set(shown.flatMap(({ expr }) => metricsIn(expr).map(({ metric }) => metric)))
  const timed = Object.entries(catalogue).filter(([, { type }]) => type === 'histogram')
  const missing = timed.filter(([name]) => !onBoard.has(`${name}_bucket`)).map(([name]) => name)
  expect(missing).toEqual(['holdfast_question_wait_seconds'])
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
