// Owns which runtime somebody means: by its id, as `<role>@<workspace>`, by its place in tmux, by its task, or by its role
// where no other workspace has one of that role.
import { HoldfastError } from '../../domain/errors.ts'
import { asRuntimeId } from '../../domain/names/ids.ts'
import { printable } from '../../domain/names/names.ts'
import { isRuntimeId, readAgentId, targetOf } from '../../domain/runtime/names.ts'
import type { Runtime } from '../../domain/runtime/runtime.ts'
import type { RuntimeReads } from '../../ports/store/runtimes.ts'
import type { OwnNode } from '../../ports/store/store.ts'

/** A pane, as tmux writes it: `%7`, or `session:window.pane`. */
const TMUX_TARGET = /^(?:%\d+|[^\s:@]+:[^\s:]+\.\d+)$/

/** What can only be meant for a runtime: the names of other tasks do not look like this. */
export const namesRuntime = (text: string) =>
  isRuntimeId(text) || readAgentId(text) !== undefined || TMUX_TARGET.test(text)

/** RUNTIME_NOT_FOUND or AMBIGUOUS_ID; FALLBACK_REQUIRED for a pane that is none of ours. */
export async function findRuntime(text: string, store: RuntimeReads & OwnNode): Promise<Runtime> {
  const exact = isRuntimeId(text) ? await store.runtime(asRuntimeId(text)) : await store.runtimeNamed(text)
  if (exact !== undefined) return exact
  const isOurs = ({ nodeId }: Runtime) => nodeId === store.nodeId
  // A place in tmux is one on this machine. A role is first looked for among our own.
  const named = (await store.allRuntimes()).filter(
    (one) => one.role === text || one.taskId === text || (isOurs(one) && targetOf(one) === text),
  )
  const found = named.some(isOurs) ? named.filter(isOurs) : named
  const [first, ...others] = found
  if (first === undefined) throw notFound(text)
  if (others.length > 0)
    throw new HoldfastError(
      'AMBIGUOUS_ID',
      `More than one workspace has a runtime ${printable(text)}: ${found.map(({ agentId }) => agentId).join(', ')}.`,
    )
  return first
}

const notFound = (text: string) =>
  TMUX_TARGET.test(text)
    ? new HoldfastError('FALLBACK_REQUIRED', `Holdfast does not manage the pane ${printable(text)}.`)
    : new HoldfastError('RUNTIME_NOT_FOUND', `Runtime not found: ${printable(text)}`)
