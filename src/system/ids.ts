import { randomUUID } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import type { Ids } from '../ports/ids.ts'

/** Lower-case hex and dashes: safe as file names, tmux options and environment values. */
export const systemIds: Ids = { run: uuidv7, random: randomUUID, chance: Math.random }
