import type { RunId } from '../names/ids.ts'

/** Who asks the daemon for something. A CLI inside a run counts as that run. `name`: what the audit shows. */
export type Caller =
  | { readonly kind: 'person'; readonly name: string }
  /** A person who answers by a channel; `user` is what the channel calls them. */
  | { readonly kind: 'channel'; readonly channel: string; readonly user: string; readonly name: string }
  | { readonly kind: 'run'; readonly run: RunId; readonly name: string }
