// Owns gathering what a report tells of a task: its inputs with their steps, the end of its output, its result, and what changed.
import type { Input, TriggerStep } from '../../../domain/task/input.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { ChangedFile } from '../../../ports/files/work-tree.ts'
import type { DeskNeeds } from '../needs.ts'

/** Enough to read; the whole is in output.log. */
const MOST_OUTPUT_BYTES = 64 * 1024
const MOST_FILES = 500

export type Tracked = { readonly input: Input; readonly steps: readonly TriggerStep[] }
export type OutputEnd = { readonly bytes: Uint8Array; readonly length: number }

/** What changed in the task's repository, with a diff of it; or why that cannot be told. */
export type ReportedChanges =
  | {
      readonly kind: 'known'
      /** Null when there was no commit yet. */
      readonly since: string | null
      readonly files: readonly ChangedFile[]
      /** Files that are not in the list, because there are too many. */
      readonly filesLeftOut: number
      readonly patch: string
      readonly isCut: boolean
    }
  | { readonly kind: 'unknown'; readonly why: string }

const NOT_RECORDED =
  'when it was created, its directory was in no git repository, git could not tell, or nothing was recorded yet by that version'

export const reportDesk = ({
  store,
  handoff,
  workTree,
}: Pick<DeskNeeds, 'store' | 'handoff' | 'workTree'>) => ({
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

  async changes(task: Task): Promise<ReportedChanges> {
    const base = await handoff.treeBase(task)
    if (base === undefined) return { kind: 'unknown', why: NOT_RECORDED }
    const found = await workTree.changes(base)
    if (found.kind === 'unknown') return found
    const files = found.files.slice(0, MOST_FILES)
    const filesLeftOut = found.files.length - files.length + found.leftOut
    const known = { kind: 'known', since: base.commit, files, filesLeftOut } as const
    if (files.length === 0) return { ...known, patch: '', isCut: false }
    const paths = files.map(({ path }) => path)
    const shown = await workTree.diff(base, paths)
    return { ...known, patch: shown?.diff ?? '', isCut: shown?.cut ?? true }
  },
})
