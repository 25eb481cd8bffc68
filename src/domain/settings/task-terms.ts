// Owns the settings that bind a task after its creation. They are those of its project at that time.
import type { Config } from './config.ts'
import { type RecoveryTerms, recoveryTerms } from './recovery-terms.ts'

/** How long a prompt may be. */
export type PromptTerms = {
  /** Of a prompt with which the agent is started or resumed. */
  readonly longestPromptBytes: number
  /** Of a prompt that is sent while the agent runs. */
  readonly longestSentBytes: number
}

export type TaskTerms = RecoveryTerms & PromptTerms

/** As they are stored with a task. What an older version did not store is missing. */
export type KeptTerms = {
  readonly recovery?: Partial<RecoveryTerms>
  readonly prompts?: PromptTerms
}

export const promptTerms = (config: Config): PromptTerms => ({
  longestPromptBytes: config['prompt.maxBytes'],
  longestSentBytes: Math.min(config['prompt.maxBytes'], config['trigger.maxBytes']),
})

export const taskTerms = (config: Config): TaskTerms => ({ ...recoveryTerms(config), ...promptTerms(config) })

/** `ownTerms`: by the user's own settings. They count for what is missing. */
export const termsOf = (
  { snapshot }: { readonly snapshot: KeptTerms },
  { ownTerms }: { readonly ownTerms: TaskTerms },
): TaskTerms => ({ ...ownTerms, ...snapshot.recovery, ...snapshot.prompts })
