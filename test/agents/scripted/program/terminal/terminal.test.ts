import { expect, test } from 'vitest'
import { scriptedDriver } from '../../../../../src/agents/scripted/driver.ts'
import type { Answer } from '../../../../../src/ports/run/agent-driver.ts'
import type { ScreenPhase, ScreenReading } from '../../../../../src/ports/run/screen.ts'
import { remembered, scriptedAgent } from '../../../../helpers/scripted-agent.ts'
import { tempDir } from '../../../../helpers/temp-dir.ts'
import { waitFor } from '../../../../helpers/wait-for.ts'
import { aRequest } from '../../../a-request.ts'
import { TuiAgent } from './tui-agent.ts'

const request = aRequest({ mode: 'interactive', prompt: 'not here' })

/** The TUI as the driver starts, reads and answers it. */
async function open(home = tempDir(), resume: string | null = null) {
  const driver = scriptedDriver({ executable: await scriptedAgent() })
  const agent = await TuiAgent.launch(home, driver.launch({ ...request, resume }).argv)
  const reads = (phase: ScreenPhase, more: (reading: ScreenReading) => boolean = () => true) =>
    waitFor(`a screen that is ${phase}`, async () => {
      const reading = driver.readScreen(await agent.view())
      return reading.phase === phase && more(reading) && reading
    })
  return {
    agent,
    reads,
    async tell(prompt: string) {
      await reads('idle', ({ draft }) => draft === null)
      await agent.paste(prompt)
      await reads('idle', ({ draft }) => draft !== null)
      await agent.keys('Enter')
    },
    async answer(question: string, answer: Answer) {
      const asking = await reads('asking', (reading) => reading.question?.text === question)
      await agent.press(driver.keys!.choose(asking, answer)!)
    },
    answers: () => remembered(home, request.sessionId).flatMap(({ answered }) => answered ?? []),
  }
}

test('a prompt is pasted, seen, sent once and worked off; a resumed one knows it', async () => {
  const { agent, reads, tell } = await open()
  await tell('do: wait-for go\ndo: finish done')
  await reads('working', ({ draft }) => draft === null)
  await agent.keys('Escape')
  await reads('idle')
  expect(agent.heard()).toEqual(['do: wait-for go\ndo: finish done'])
  await agent.keys('C-c')
  await agent.shows('Press Ctrl-C again')
  await agent.keys('C-c')
  await reads('exited')
  const again = await open(agent.home, request.sessionId)
  await again.tell('do: finish again')
  await again.agent.shows('✓ again')
  expect(again.agent.heard()).toHaveLength(2)
})

test('each answer chooses exactly its option, once', async () => {
  const { reads, tell, answer, answers } = await open()
  const options = Array.from({ length: 12 }, (_, at) => `o${at + 1}`).join(' | ')
  await tell(['first', 'second', 'third'].map((name) => `do: ask ${name} | ${options}`).join('\n'))
  await answer('first', { option: 11, text: '' })
  await answer('second', { option: 8, text: '' })
  await answer('third', { option: 0, text: '' })
  await reads('idle')
  expect(answers()).toEqual(['o12', 'o9', 'o1'])
})

test('a text of one’s own is typed as it is, also when it looks like keys', async () => {
  const { reads, tell, answer, answers } = await open()
  await tell('do: ask Who?\ndo: ask Why?')
  await answer('Who?', { option: null, text: 'Enter C-c;' })
  await answer('Why?', { option: null, text: 'é 漢 ; "$(x)" ~\n-l' })
  await reads('idle')
  expect(answers()).toEqual(['Enter C-c;', 'é 漢 ; "$(x)" ~\n-l'])
})

test('a limit is seen with the time of its end', async () => {
  const { reads, tell } = await open()
  const before = Date.now()
  await tell('do: limit 3600')
  const { limit } = await reads('limit')
  expect(Date.parse(limit?.until ?? '')).toBeGreaterThanOrEqual(before + 3_600_000)
})
