import type { RunId } from '../names/ids.ts'

/** Who asks. A CLI inside a run acts as that run. `name` is what the audit shows. */
export type Caller =
  | { readonly kind: 'person'; readonly name: string }
  | { readonly kind: 'run'; readonly run: RunId; readonly name: string }
