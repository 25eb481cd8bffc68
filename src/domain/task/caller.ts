import { asRunId, type RunId } from '../names/ids.ts'

/** Who asks the daemon for something. A CLI inside a run counts as that run. `name`: what the audit shows. */
export type Caller =
  | { readonly kind: 'person'; readonly name: string }
  /** A person who answers by a channel; `user` is what the channel calls them. */
  | { readonly kind: 'channel'; readonly channel: string; readonly user: string; readonly name: string }
  | { readonly kind: 'run'; readonly run: RunId; readonly name: string }

const RUN = 'run '

/** How a run is named in the record. */
export const runNamed = (run: string): string => `${RUN}${run}`

/** The run in such a name; undefined for whoever is none. */
export const runIn = (name: string): RunId | undefined =>
  name.startsWith(RUN) ? asRunId(name.slice(RUN.length)) : undefined
