// Owns the names of run directories in which commands of contracts run. A run of an agent never begins so.

import { asRunId, type RunId } from '../names/ids.ts'
import { contentHash } from '../text/content-hash.ts'

const PREFIX = 'v-'

export const isVerifyRun = (id: string) => id.startsWith(PREFIX)

/** All verifications of the same work begin alike. */
export const verifyPrefix = (whose: string) => `${PREFIX}${contentHash(whose).slice(0, 16)}-`

/** `check` counts from 1, and so does `start`: a command that was lost is started again under the next number. */
export const verifyRunId = (whose: string, name: string, check: number, start: number): RunId =>
  asRunId(`${verifyPrefix(whose)}${name}-${check}-${start}`)
