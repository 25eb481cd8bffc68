// Light runs that ask and go on in turn, so that the list of tasks changes as often as a bench wants.
import { appendFileSync } from 'node:fs'
import type { TaskRowsJson } from '../../src/protocol/json/task-json.ts'
import type { Daemon } from './daemon.ts'
import type { Home } from './home.ts'
import type { LightRun } from './light-runs.ts'
import { until } from './until.ts'

/** So many ask at any time, so that no heading comes or goes: one asks, the one that asked longest goes on, and so forth. */
const ASKING = 20

/** Returns when the first of them are seen to ask. */
export async function askInTurn(home: Home, daemon: Daemon, runs: readonly LightRun[]) {
  const asking = runs.slice(0, ASKING)
  const working = runs.slice(ASKING)
  const say = ({ runId }: LightRun, asks: boolean) => {
    const line = asks
      ? { type: 'ask', question: 'May I go on?', options: ['yes', 'no'] }
      : { type: 'answer', answer: 'yes' }
    appendFileSync(`${home.paths.run(runId)}/events.jsonl`, `${JSON.stringify(line)}\n`)
  }
  let turn = 0
  const change = () => {
    const [from, to] = turn++ % 2 === 0 ? [working, asking] : [asking, working]
    const run = from.shift()!
    to.push(run)
    say(run, to === asking)
  }
  for (const run of asking) say(run, true)
  await until('the first questions', async () => {
    const { totals } = await daemon.ask<TaskRowsJson>('GET', '/api/tasks/rows?limit=0')
    return totals?.asking === ASKING
  })
  return {
    /** So many tasks change each second while the work goes on. */
    async changesDuring<T>(perSecond: number, work: () => Promise<T>): Promise<T> {
      const timer = setInterval(change, 1000 / perSecond)
      try {
        return await work()
      } finally {
        clearInterval(timer)
      }
    },
  }
}
