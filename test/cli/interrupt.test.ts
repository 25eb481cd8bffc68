import { expect, onTestFinished, test } from 'vitest'
import { hearInterrupt } from '../../src/cli/interrupt.ts'

test('a Ctrl-C that comes just before somebody else listens for it is not lost', async () => {
  const others = process.listeners('SIGINT')
  onTestFinished(() => {
    process.removeAllListeners('SIGINT')
    for (const other of others) process.on('SIGINT', other)
  })
  const heard: string[] = []
  hearInterrupt(() => heard.push('before'))
  process.kill(process.pid, 'SIGINT')
  await new Promise<void>((resolve) =>
    hearInterrupt(() => {
      heard.push('after')
      resolve()
    }),
  )
  expect(heard).toEqual(['after'])
})
