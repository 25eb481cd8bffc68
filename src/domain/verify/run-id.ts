// Owns the ids of runs that execute a contract's commands. They begin with `v-`; the id of an agent's run never does.

import { asRunId, type RunId } from '../names/ids.ts'
import { contentHash } from '../text/content-hash.ts'

const PREFIX = 'v-'

export const isVerifyRun = (id: string) => id.startsWith(PREFIX)

/** The common beginning of the run ids of all verifications of the same work. */
export const verifyPrefix = (whose: string) => `${PREFIX}${contentHash(whose).slice(0, 16)}-`

/** `check` and `start` count from 1. A command whose run was lost is started again with the next `start`. */
export const verifyRunId = (whose: string, name: string, check: number, start: number): RunId =>
  asRunId(`${verifyPrefix(whose)}${name}-${check}-${start}`)
