// Owns that an agent has acknowledged a trigger: by its own word, by reading on, by a sign of life, or by a line it printed.
import { tryCommit } from '../../changes/try-commit.ts'
import { wordsOf } from '../../domain/conversation/words-of.ts'
import type { HandledEvent } from '../../domain/journal/cause.ts'
import type { RunId } from '../../domain/names/ids.ts'
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { Input, Trigger } from '../../domain/task/input.ts'
import { type AckWay, hasMarker, isStronger, markerOf } from '../../domain/trigger/acknowledgement.ts'
import type { TriggerState } from '../../domain/trigger/machine.ts'
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import type { DeliveryNeeds } from '../needs.ts'

/** With the agent, and its turn not over: an acknowledgement tells something. */
const TAKES_ACK: ReadonlySet<TriggerState> = new Set(['typed', 'submitted', 'acknowledged', 'unconfirmed'])

const isTrigger = (input: Input): input is Trigger => input.triggerId !== null && input.state !== null

/** Those that this run was given and may still acknowledge. */
export const awaitingAck = (inputs: readonly Input[], runId: RunId): Trigger[] =>
  inputs.filter(isTrigger).filter((trigger) => trigger.runId === runId && TAKES_ACK.has(trigger.state))

/** True when it is stored as acknowledged in this way; false when it was acknowledged as well before, or is past it. */
export async function acknowledgeBy(
  { triggerId: id, state: from, ackBy }: Trigger,
  way: AckWay,
  evidence: readonly Evidence[],
  needs: Pick<DeliveryNeeds, 'clock' | 'commit'>,
  cause?: HandledEvent,
): Promise<boolean> {
  if (!TAKES_ACK.has(from) || !isStronger(way, ackBy)) return false
  const at = needs.clock.now()
  return (
    (await tryCommit({ trigger: { id, from, event: 'acknowledged', way, at, evidence }, cause }, needs)) !==
    undefined
  )
}

/** A marker in what somebody sent to the agent is not the agent's. True when something was stored. */
export async function acknowledgeByMarkers(
  text: string,
  source: 'agent' | 'screen',
  { inputs, runId }: { readonly inputs: readonly Input[]; readonly runId: RunId },
  needs: Pick<DeliveryNeeds, 'clock' | 'commit'>,
): Promise<boolean> {
  if (!text.includes('ACK_TRIGGER:')) return false
  let isNew = false
  for (const trigger of awaitingAck(inputs, runId)) {
    const { triggerId } = trigger
    if (!hasMarker(text, triggerId)) continue
    if (source === 'screen' && inputs.some((input) => hasMarker(wordsOf(input), triggerId))) continue
    const evidence = [saw(source, `it printed ${markerOf(triggerId)}`)]
    isNew = (await acknowledgeBy(trigger, 'marker', evidence, needs)) || isNew
  }
  return isNew
}

/** What the agent said itself, not what its tools printed. */
export const ownWords = (says: readonly AgentSays[]) =>
  says.flatMap((said) => (said.kind === 'said' || said.kind === 'finished' ? [said.text] : [])).join('\n')
