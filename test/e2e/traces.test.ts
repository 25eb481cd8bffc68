import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { otlpReceiver, type ReceivedSpan } from '../helpers/otlp-receiver.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const SECRET = 'a-word-of-the-prompt'
const named = (spans: readonly ReceivedSpan[], name: string) =>
  spans.filter((span) => span.name.startsWith(name))
const isWithin = (inner: ReceivedSpan, outer: ReceivedSpan) =>
  BigInt(outer.startTimeUnixNano) <= BigInt(inner.startTimeUnixNano) &&
  BigInt(inner.startTimeUnixNano) <= BigInt(inner.endTimeUnixNano) &&
  BigInt(inner.endTimeUnixNano) <= BigInt(outer.endTimeUnixNano)
const secondsOf = ({ startTimeUnixNano: from, endTimeUnixNano: to }: ReceivedSpan) =>
  Number(BigInt(to) - BigInt(from)) / 1e9
const config = (address: string) => `otel.endpoint: ${address}\n`

const agentPid = async (world: World, id: string) =>
  Number(
    readFileSync(join(world.home, 'runs', (await world.status(id)).run_id!, 'pid'), 'utf8').split(' ')[0],
  )

test('a task that died once is one trace: task, two runs and their tools; a restart of the daemon goes on with it', async () => {
  const { spans, received, address } = await otlpReceiver()
  const world = await startWorld({ retries: 3, config: config(address) })
  const id = await world.run(
    `do: say ${SECRET}\ndo: tool 0.2 grep\ndo: tool 3 slow\ndo: append f.txt x\ndo: finish ${SECRET}`,
    '--model',
    'fast-1',
  )
  await waitFor('the first tool', () => named(spans, 'execute_tool').length > 0)
  process.kill(await agentPid(world, id), 'SIGKILL')
  await waitFor('the span of its first run', () => named(spans, 'invoke_agent').length === 1)
  await world.killDaemon()
  await world.untilStatus(id, 'COMPLETED')
  const task = await waitFor('the span of the task', () => named(spans, 'holdfast.task')[0])

  const runs = named(spans, 'invoke_agent')
  expect(runs.map(({ attributes }) => attributes['holdfast.run.number'])).toEqual([1, 2])
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
  expect(task.parentSpanId || undefined).toBeUndefined()
  expect(runs.every(({ parentSpanId }) => parentSpanId === task.spanId)).toBe(true)
  const ofRuns = new Set(runs.map(({ spanId }) => spanId))
  expect(named(spans, 'execute_tool').every((span) => ofRuns.has(span.parentSpanId ?? ''))).toBe(true)
  expect(task.attributes).toMatchObject({
    'holdfast.task.id': id,
    'holdfast.task.status': 'completed',
    'gen_ai.request.model': 'fast-1',
    'gen_ai.agent.name': 'scripted',
  })
  expect(runs[0]).toMatchObject({
    status: { code: 2 },
    attributes: { 'gen_ai.operation.name': 'invoke_agent' },
  })
  expect(runs[1]!.status.code ?? 0).toBe(0)
  expect(named(spans, 'execute_tool grep')[0]!.attributes).toMatchObject({ 'gen_ai.tool.name': 'grep' })
  for (const run of runs) expect(isWithin(run, task)).toBe(true)
  for (const tool of named(spans, 'execute_tool'))
    expect(isWithin(tool, runs.find(({ spanId }) => spanId === tool.parentSpanId)!)).toBe(true)
  expect(BigInt(runs[0]!.endTimeUnixNano) <= BigInt(runs[1]!.startTimeUnixNano)).toBe(true)
  const [first] = named(spans, 'execute_tool grep')
  expect(secondsOf(first!)).toBeGreaterThan(0.15)
  expect(received.resource).toMatchObject({ 'service.name': 'holdfast' })
  expect(received.text).not.toContain(SECRET)
}, 60_000)

test('a child is in the trace of its parent, below it', async () => {
  const { spans, address } = await otlpReceiver()
  const world = await startWorld({
    config: 'recursion.depth: 1\n',
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: address },
  })
  const script = join(world.project, 'start.sh')
  writeFileSync(script, 'printf "do: finish ok" | holdfast run --file - --name child\n')
  const parent = await world.run(`do: run sh ${script}\ndo: finish parent`)
  await world.untilStatus(parent, 'COMPLETED')
  await waitFor('both', () => named(spans, 'holdfast.task').length === 2)
  const byId = new Map(
    named(spans, 'holdfast.task').map((span) => [span.attributes['holdfast.task.id'], span]),
  )
  const above = byId.get(parent)
  const [below] = [...byId.values()].filter((span) => span !== above)
  expect(below?.traceId).toBe(above?.traceId)
  expect(below?.parentSpanId).toBe(above?.spanId)
})

test('a task that is brought back has a span for each life, with another id, in the same trace', async () => {
  const { spans, address } = await otlpReceiver()
  const world = await startWorld({ config: config(address) })
  const id = await world.run('do: finish once')
  await world.untilStatus(id, 'COMPLETED')
  await waitFor('its first life', () => named(spans, 'holdfast.task').length === 1)
  await world.ok(['retry', id])
  await waitFor('its second life', () => named(spans, 'holdfast.task').length === 2)
  const [first, second] = named(spans, 'holdfast.task')
  expect(second!.spanId).not.toBe(first!.spanId)
  expect(second!.traceId).toBe(first!.traceId)
  expect(BigInt(second!.startTimeUnixNano) >= BigInt(first!.endTimeUnixNano)).toBe(true)
  const runs = named(spans, 'invoke_agent')
  expect(runs.map(({ parentSpanId }) => parentSpanId)).toEqual([first!.spanId, second!.spanId])
}, 60_000)

test('a task that ended while the collector was away harms nobody; its next life is told when the collector is back', async () => {
  const gone = await otlpReceiver()
  await gone.close()
  const world = await startWorld({ config: config(gone.address) })
  const id = await world.run('do: finish once')
  await world.untilStatus(id, 'COMPLETED')
  const back = await otlpReceiver({ port: Number(new URL(gone.address).port) })
  const brought = BigInt(Date.now()) * 1_000_000n
  await world.ok(['retry', id])
  await waitFor('the later life', () =>
    named(back.spans, 'holdfast.task').some((span) => BigInt(span.startTimeUnixNano) >= brought),
  )
  const later = named(back.spans, 'holdfast.task')
  expect(new Set(later.map(({ spanId }) => spanId)).size).toBe(later.length)
  expect((await world.health()).tmux).toBe('up')
}, 60_000)

test('a collector that never answers does not hold up tasks, nor the end of the daemon', async () => {
  const { received, address } = await otlpReceiver({ answer: undefined })
  const world = await startWorld({ config: config(address) })
  const id = await world.run('do: finish done')
  await world.untilStatus(id, 'COMPLETED')
  await waitFor('a request', () => received.requests > 0)
  const { pid } = await world.json<{ pid: number }>(['down'])
  expect(pid).toBeGreaterThan(0)
}, 60_000)

test('without an endpoint nothing is followed, and a reader from before is dropped', async () => {
  const { address } = await otlpReceiver()
  const world = await startWorld({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: address } })
  await world.ok(['list'])
  expect(await world.ok(['metrics'])).toContain('subscriber="traces"')
  await world.ok(['down'])
  await world.ok(['list'], { env: { OTEL_EXPORTER_OTLP_ENDPOINT: '' } })
  expect(await world.ok(['metrics'])).not.toContain('subscriber="traces"')
})

test('an endpoint that is no address is refused with a clear message', async () => {
  const world = await startWorld()
  const said = await world.cli(['config', 'set', 'otel.endpoint', 'collector:4318'])
  expect(said.code).toBe(1)
  expect(said.stderr).toContain('must be an address that begins with http:// or https://')
})
