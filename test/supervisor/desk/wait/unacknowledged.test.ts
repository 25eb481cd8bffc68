import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { EventDraft } from '../../../../src/domain/journal/events.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import { unacknowledged } from '../../../../src/supervisor/desk/wait/unacknowledged.ts'
import { NOON } from '../../../builders/ids.ts'
import { tempDir } from '../../../helpers/temp-dir.ts'
import { clock, create, nodeFacts } from '../../../store/samples.ts'
import { tell } from '../../../store/writes.ts'

test('very many events come in several answers, each event once and in order', async () => {
  const store = await openStore({ path: join(tempDir(), 'holdfast.db'), node: nodeFacts(), clock })
  onTestFinished(() => store.close())
  const tasks = [await create(store, 'a'), await create(store, 'b')]
  // What one of them says most of the time is nothing to wait for.
  const kinds = ['task_stuck_seen', 'input_said', 'question_answered'] as const
  const told = Array.from({ length: 1800 }, (_, n) => ({ n, taskId: tasks[n % 7 === 0 ? 1 : 0]!.id }))
  for (let at = 0; at < told.length; at += 100)
    await Promise.all(
      told
        .slice(at, at + 100)
        .map(({ n, taskId }) =>
          tell(store, { at: NOON, kind: kinds[n % 3]!, taskId, data: {} } as EventDraft),
        ),
    )
  const expected = (await store.events(0, 5000))
    .filter(({ kind }) => kind !== 'input_said')
    .map(({ seq }) => seq)

  const ids = tasks.map(({ id }) => id)
  const seen: number[] = []
  let answers = 0
  for (;;) {
    const { cursor, events } = await unacknowledged('x', ids, { store })
    seen.push(...events.map(({ seq }) => seq))
    answers++
    expect(events.length).toBeLessThanOrEqual(500)
    await store.moveCursor('x', cursor, NOON)
    if (cursor === (await store.lastSeq())) break
  }
  expect(seen).toEqual(expected)
  expect(answers).toBeGreaterThan(2)
}, 60_000)
