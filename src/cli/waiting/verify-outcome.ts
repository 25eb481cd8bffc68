// Owns the last check of a completed task: the contract of its workflow step.
import { HoldfastError } from '../../domain/errors.ts'
import type { MonitoredJson } from '../../protocol/json/monitor-json.ts'
import type { Context } from '../context.ts'
import { givenEnv } from '../wire/given-env.ts'

export type Step = { readonly step: string; readonly story: string; readonly stateFile: string }

/** A completed task that does not pass the contract of the step becomes `incomplete`. */
export async function verifyOutcome(
  task: MonitoredJson,
  { step, story, stateFile }: Step,
  context: Context,
): Promise<MonitoredJson> {
  if (task.final_state !== 'completed' || task.dir === null) return task
  const body = { step, story, state_file: stateFile, dir: task.dir, env: givenEnv(context.env) }
  try {
    const { verified, checks } = await context.daemon().call('POST /api/verify-step', { body })
    if (verified) return { ...task, verified }
    const failed = checks.filter(({ ok }) => !ok).map(({ check, why }) => `${check}: ${why}`)
    return { ...task, verified, final_state: 'incomplete', exit_reason: failed.join('; ') }
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error
    // A step without a contract needs no check; but a contract that cannot be used counts as not passed.
    if (error.code !== 'STEP_NOT_FOUND')
      return { ...task, verified: null, final_state: 'incomplete', exit_reason: error.message }
    context.say(`Not verified: ${error.message}`)
    return { ...task, verified: null }
  }
}
