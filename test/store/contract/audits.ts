import { expect, test } from 'vitest'
import { aReading } from '../../builders/reading.ts'
import type { Open } from '../../contract/store-contract.ts'
import { launch } from '../samples.ts'
import { recordReading } from '../writes.ts'

export function audits(open: Open) {
  test('each blocked tool is on the record with the run that tried, once, and never half a character', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const reading = aReading(run, { blocked: ['Bash: rm -rf /', `${'x'.repeat(299)}😀`] })
    await recordReading(store, reading)
    await expect(recordReading(store, reading)).rejects.toMatchObject({ code: 'TRANSITION_CONFLICT' })
    const row = { kind: 'hook_violation', taskId: run.id, actor: `run ${run.runId}` }
    expect(await store.audits({ kind: 'hook_violation' })).toMatchObject([
      { ...row, detail: 'x'.repeat(299) },
      { ...row, detail: 'Bash: rm -rf /' },
    ])
  })
}
