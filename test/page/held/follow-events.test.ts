// With the libraries of the page: their types belong to web/tsconfig.json.
import { QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import type { LiveEvent, listen } from '../../../web/src/data/connection/live.ts'
import { waitFor } from '../../helpers/wait-for.ts'

Object.assign(globalThis, { __VERSION__: 'test' })
const { queryClient } = await import('../../../web/src/data/held/resource.ts')
const { followEvents } = await import('../../../web/src/data/held/follow-events.ts')

test('a hundred events of a task on the screen cost a few questions, one at a time, and the last state is drawn', async () => {
  let tell: (event: LiveEvent) => void = () => {}
  followEvents(((listener) => {
    tell = listener.event
    return () => {}
  }) satisfies typeof listen)
  const answers: (() => void)[] = []
  let story = 0
  const why = () => {
    const told = story
    return new Promise<number>((resolve) => answers.push(() => resolve(told)))
  }
  const observer = new QueryObserver(queryClient, { queryKey: ['task', 'one', 'why'], queryFn: why })
  const stop = observer.subscribe(() => {})
  onTestFinished(() => {
    stop()
    queryClient.clear()
  })
  const drawn = () => observer.getCurrentResult().data
  const burst = () => {
    for (let more = 0; more < 50; more += 1) {
      story += 1
      tell({ kind: 'task_turn_began', task: 'one', at: 0, data: {} } as unknown as LiveEvent)
    }
  }
  answers[0]?.()
  await waitFor('the first answer', () => drawn() === 0)
  burst()
  expect(answers).toHaveLength(2)
  // These come while its answer is under way.
  burst()
  expect(answers).toHaveLength(2)
  answers[1]?.()
  await waitFor('one more question', () => answers.length === 3)
  answers[2]?.()
  await waitFor('the last state', () => drawn() === 100)
  expect(answers).toHaveLength(3)
})
