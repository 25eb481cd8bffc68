// A daemon that does nothing else still says that it is there.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { giveSigns } from '../../src/daemon/sign-of-life.ts'
import { openStore } from '../../src/store/open-store.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { TestClock } from '../helpers/test-clock.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { nodeFacts } from '../store/samples.ts'

test('a daemon gives a sign of life every few seconds, until it is stopped', async () => {
  const clock = new TestClock()
  const store = await openStore({ path: join(tempDir(), 'holdfast.db'), node: nodeFacts(), clock })
  onTestFinished(() => store.close())
  const silence = async () => (await store.nodes())[0]?.silentMs ?? -1
  const silentFor = (ms: number) =>
    waitFor(`${ms} ms of silence`, async () => {
      const silentMs = await silence()
      return silentMs >= ms ? silentMs : undefined
    })
  const stop = giveSigns(store, clock)
  for (const _ of ['the first', 'the next']) {
    const before = await silentFor(100)
    await waitFor('a sign', async () => {
      clock.advance(5000)
      return (await silence()) < before
    })
  }
  stop()
  const before = await silentFor(100)
  clock.advance(60_000)
  expect(await silence()).toBeGreaterThanOrEqual(before)
})
