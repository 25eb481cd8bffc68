// Owns how a task's story and what was asked of its last runs since are put together. Pure.
import type { RunStoryJson, WhyJson } from '../../../../src/protocol/json/recovery-json.ts'

/** The two are asked for apart, so that each may be the newer one: of a run, the one that got further counts. */
export function withRuns(why: WhyJson, last: readonly RunStoryJson[]): WhyJson {
  const byNumber = new Map(why.runs.map((run) => [run.number, run]))
  for (const run of last) {
    const known = byNumber.get(run.number)
    if (known === undefined || callsOf(run) > callsOf(known)) byNumber.set(run.number, run)
  }
  const runs = [...byNumber.values()].sort((one, other) => one.number - other.number)
  return { ...why, runs }
}

/** Both only grow. */
const callsOf = ({ tools, progress }: RunStoryJson) => tools + progress
