// Owns what channels need of the world.
import type { SecretPlace } from '../domain/settings/notify-fields.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

export type ChannelNeeds = {
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly log: Pick<Log, 'warn'>
  /** Read anew each time, so that a new secret counts at once. Throws when it is not there, or others can read it. */
  readonly secret: (place: SecretPlace) => Promise<string>
  /** Starts a program without a shell, and gives it this on stdin. */
  readonly run: (
    argv: readonly string[],
    input: string,
  ) => Promise<{ readonly code: number | null; readonly stderr: string; readonly timedOut: boolean }>
  /** Rings at every terminal that shows one of these sessions; without any, at every terminal that shows one at all. */
  readonly ring: (sessionIds: readonly string[]) => Promise<void>
  /** Where others reach `/inbound/`; null when they do not. */
  readonly publicUrl: string | null
}

/** A place, or the value itself. */
export const givenValue = (
  given: string | SecretPlace,
  { secret }: Pick<ChannelNeeds, 'secret'>,
): Promise<string> => (typeof given === 'string' ? Promise.resolve(given) : secret(given))
