// Owns gathering what a report tells of a task: its inputs with their steps, the end of its output, its result, and what changed.
import type { Changes } from '../../../domain/task/changes.ts'
import type { Input, Task, TriggerStep } from '../../../domain/task/task.ts'
import type { DeskNeeds } from '../needs.ts'

/** Enough to read; the whole is in output.log. */
const MOST_OUTPUT_BYTES = 64 * 1024

export type Tracked = { readonly input: Input; readonly steps: readonly TriggerStep[] }
export type OutputEnd = { readonly bytes: Uint8Array; readonly length: number }

export const reportDesk = ({ store, handoff, places }: Pick<DeskNeeds, 'store' | 'handoff' | 'places'>) => ({
  async inputs(task: Task): Promise<Tracked[]> {
    const inputs = await store.inputs(task.id)
    return await Promise.all(
      inputs.map(async (input) => ({
        input,
        steps: input.triggerId === null ? [] : await store.triggerSteps(input.triggerId),
      })),
    )
  },

  /** The end of the output, as far as it was stored. */
  async outputEnd(task: Task): Promise<OutputEnd> {
    const lengths = (await store.runsOf(task.id)).map(({ outputLength }) => outputLength)
    const length = Math.max(0, ...lengths)
    const parts: Uint8Array[] = []
    let read = 0
    for await (const part of handoff.readLog(task, 'output.log', Math.max(0, length - MOST_OUTPUT_BYTES))) {
      parts.push(part)
      read += part.length
      if (read >= 2 * MOST_OUTPUT_BYTES) break
    }
    return { bytes: Buffer.concat(parts), length: Math.max(length, read) }
  },

  changes: async ({ snapshot, project }: Task): Promise<Changes> => {
    const { commit } = snapshot
    if (commit === undefined)
      return { kind: 'unknown', why: 'it was created by a version that did not record the commit' }
    if (commit === null)
      return { kind: 'unknown', why: 'its project was no git repository with a commit when it was created' }
    return await places.changesSince(project, commit)
  },
})
