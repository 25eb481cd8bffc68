// Owns what is asked for when a task is created.
import type { TaskId } from '../../domain/names/ids.ts'
import type { WaitingAgents } from '../../domain/settings/merge-config.ts'
import type { Asked } from '../../domain/settings/role-terms.ts'
import type { Mode, Priority } from '../../domain/task/task.ts'
import type { VerifyContract } from '../../domain/verify/contract.ts'
import type { RequestKey } from '../../ports/store/request-keys.ts'
import type { RuntimeDraft } from '../../ports/store/runtimes.ts'
import type { AllowedDir } from './workspaces.ts'

/** The request's permission and working time go before those of the role and the config. */
export type CreateRequest = Asked & {
  readonly prompt: string
  readonly place: AllowedDir
  readonly agent: string | undefined
  readonly role: string | undefined
  readonly model: string | undefined
  readonly name: string | undefined
  /** Used instead of the prompt's first words. */
  readonly title?: string
  readonly mode: Mode
  readonly converse: boolean
  readonly extraDirs: readonly string[]
  readonly priority: Priority
  readonly tags: readonly string[]
  readonly meta: Readonly<Record<string, string>>
  /** The agent gets only what the allow-list, `env.pass` and the agent's own names let through. */
  readonly callerEnv: Readonly<Record<string, string>>
  readonly setEnv: Readonly<Record<string, string>>
  /** Null: no contract. Undefined: the config's contract. */
  readonly verify?: VerifyContract | null
  /** The command whose default working time applies. */
  readonly command: 'create' | 'run'
  /** Agents that wait for a person's approval. Asking for one of them is NOT_TRUSTED. */
  readonly waitingAgents?: WaitingAgents
  readonly noQueue: boolean
  /** It is a runtime, with this row in the registry; it may have no prompt. */
  readonly standing?: Omit<RuntimeDraft, 'taskId' | 'createdAt' | 'createdBy'>
  /** The task whose run asks; null when a person asks. */
  readonly parentId: TaskId | null
  readonly by: string
  /** By which the caller knows this request again. */
  readonly key?: RequestKey
}
