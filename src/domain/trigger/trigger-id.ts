// Owns the ids of triggers: `trg_20260217_0001`, counted per day (UTC) over the whole store.
import { HoldfastError } from '../errors.ts'
import { asTriggerId, type TriggerId } from '../names/ids.ts'
import { printable } from '../names/names.ts'

const LEAST_DIGITS = 4
const TRIGGER_ID = /^trg_\d{8}_\d{4,12}$/

/** `20260217` */
export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')

export const triggerIdOf = (day: string, count: number): TriggerId =>
  asTriggerId(`trg_${day}_${String(count).padStart(LEAST_DIGITS, '0')}`)

const isTriggerId = (value: string) => TRIGGER_ID.test(value)

export function checkTriggerId(value: string): TriggerId {
  if (isTriggerId(value)) return asTriggerId(value)
  throw new HoldfastError('TRIGGER_NOT_FOUND', `'${printable(value)}' is not the id of a trigger.`)
}
