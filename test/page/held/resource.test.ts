// With the libraries of the page: their types belong to web/tsconfig.json.
import { QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../../helpers/wait-for.ts'

Object.assign(globalThis, { __VERSION__: 'test' })
const { queryClient, refresh } = await import('../../../web/src/data/held/resource.ts')

test('an answer that is delayed is never overtaken: what changed meanwhile is asked once, after it', async () => {
  const answers: ((value: string) => void)[] = []
  const ask = () => new Promise<string>((resolve) => answers.push(resolve))
  const seen: unknown[] = []
  const observer = new QueryObserver(queryClient, { queryKey: ['task', 'one'], queryFn: ask })
  const stop = observer.subscribe(({ data }) => data !== seen.at(-1) && seen.push(data))
  onTestFinished(() => {
    stop()
    queryClient.clear()
  })
  expect(answers).toHaveLength(1)
  // The daemon has news while the first answer is under way.
  for (const key of [['task'], ['task', 'one'], []]) refresh(key)
  expect(answers).toHaveLength(1)
  answers[0]?.('from before the news')
  await waitFor('the second question', () => answers.length === 2)
  expect(seen).toEqual(['from before the news'])
  answers[1]?.('from after it')
  await waitFor('the newer answer', () => seen.length === 2)
  expect(seen).toEqual(['from before the news', 'from after it'])
  // Nothing changed since.
  await new Promise((resolve) => setTimeout(resolve))
  expect(answers).toHaveLength(2)
})
