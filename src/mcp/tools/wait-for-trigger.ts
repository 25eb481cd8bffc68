// Owns how tools wait until a trigger is so far, and what they say of going on.
import * as z from 'zod/mini'
import { errorCatalogue } from '../../domain/errors/catalogue.ts'
import { isReached, TRIGGER_AIMS, type TriggerAim } from '../../domain/trigger/aims.ts'
import type { TriggerDetailJson } from '../../protocol/json/trigger-json.ts'
import { field, LONGEST_SECONDS, type ToolWorld } from '../tool.ts'

/** No request is held for longer. */
const PER_REQUEST_SECONDS = 20

/** What a tool that waits takes. */
export const waiting = {
  wait: field(
    z.optional(z.enum(TRIGGER_AIMS)),
    'Answer when the agent has it (`submitted`), or has acknowledged it or ended its turn (`acknowledged`): after at most 45 seconds.',
  ),
  seconds: field(
    z.optional(z.number().check(z.minimum(0), z.maximum(LONGEST_SECONDS))),
    'With `wait`: how long to wait at most. Default: 45.',
  ),
}

type Waiting = { readonly wait?: TriggerAim | undefined; readonly seconds?: number | undefined }

/** Looks at once when there is nothing to wait for. */
export async function triggerWhen(id: string, { wait, seconds }: Waiting, world: ToolWorld) {
  if (wait === undefined) {
    const trigger = await world.call('GET /api/triggers/:id', { id, query: {} })
    return { trigger, waited: null }
  }
  const end = world.monotonic() + (seconds ?? LONGEST_SECONDS) * 1000
  for (;;) {
    const left = Math.max(0, Math.ceil((end - world.monotonic()) / 1000))
    const query = { until: wait, wait_seconds: String(Math.min(left, PER_REQUEST_SECONDS)) }
    const trigger = await world.call('GET /api/triggers/:id', { id, query })
    const outcome = isReached(trigger, wait)
    if (outcome !== 'not_yet' || left === 0)
      return { trigger, waited: { for: wait, outcome, go_on: goOn(trigger, wait, outcome) } }
  }
}

function goOn(trigger: TriggerDetailJson, wait: TriggerAim, outcome: ReturnType<typeof isReached>): string {
  const { trigger_id: id, code } = trigger
  if (outcome === 'reached') return `It is ${trigger.state}: there is nothing more to wait for.`
  if (outcome === 'not_yet')
    return `It goes on without you. Do not send it again: call get_trigger with trigger: ${id} and wait: ${wait}.`
  return code === null ? `It is ${trigger.state}: waiting longer does not help.` : errorCatalogue[code].hint
}
