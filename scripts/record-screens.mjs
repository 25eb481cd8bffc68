// Records the screens of test/fixtures/screens anew: `node scripts/record-screens.mjs [--dry] [--only name] [kind…]`.
import { parseArgs } from 'node:util'
import { createVitest } from 'vitest/node'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dry: { type: 'boolean' }, only: { type: 'string' } },
})
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const kinds = positionals.length > 0 ? positionals.map(escaped).join('|') : '\\S+'
const name = values.only === undefined ? '\\S+' : escaped(values.only)

const counts = { passed: 0, failed: 0, stopped: 0 }
const vitest = await createVitest('test', {
  config: 'vitest.agents.config.ts',
  include: ['test/real-agents/record-screens.ts'],
  testNamePattern: `^(?:${kinds}) ${name}$`,
  testTimeout: 300_000,
  watch: false,
  env: { HOLDFAST_RECORD_DRY: values.dry ? '1' : '' },
  reporters: [{ onTestCaseResult: report, onTestRunEnd: complain }],
})
// The scenario that is on ends what it started; Vitest would leave at once.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.removeAllListeners(signal).once(signal, () => {
    counts.stopped++
    vitest.cancelCurrentRun('keyboard-input')
  })
await vitest.start()
await vitest.close()
process.exit(counts.stopped > 0 ? 130 : counts.failed > 0 || counts.passed === 0 ? 1 : 0)

function report(test) {
  const { state, errors } = test.result()
  if (state === 'skipped') return
  counts[state]++
  console.log(`${test.name}: ${test.meta().verdict ?? errors.map(({ message }) => message).join('\n')}`)
}

/** Of what went wrong outside of any scenario. */
function complain(modules, unhandled) {
  const errors = [...modules.flatMap((module) => module.errors()), ...unhandled]
  counts.failed += errors.length
  for (const { stack, message } of errors) console.error(stack ?? message)
  if (counts.passed + counts.failed === 0) console.error('No such scenario: see test/real-agents/scenarios.')
}
