import { isHoldfastError } from '../../../domain/errors.ts'
import type { StatusCheckJson } from '../../../protocol/json/life-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'

/** Prints one word on stdout, for scripts; the facts behind it go to stderr. */
export async function tmuxStatusCheck(
  { args }: InputOf<'tmux-status-check'>,
  context: Context,
): Promise<number> {
  const checked = await check(args.id, context)
  context.show(checked, () => [checked.session_state])
  if (!context.json) for (const fact of facts(checked)) context.say(fact)
  return checked.session_state === 'not_found' ? 1 : 0
}

async function check(id: string, context: Context): Promise<StatusCheckJson> {
  try {
    return await context.daemon().call('POST /api/tasks/:id/status-check', { id })
  } catch (error) {
    if (isHoldfastError(error, 'TASK_NOT_FOUND')) return notFound(id)
    throw error
  }
}

const notFound = (id: string): StatusCheckJson => ({
  session_id: id,
  session_state: 'not_found',
  other_checks: 'not_found',
  phase: null,
  previous_time: null,
  current_time: null,
  context_percent: null,
  silent_seconds: null,
})

function facts({
  session_state,
  other_checks,
  previous_time,
  current_time,
  silent_seconds,
}: StatusCheckJson) {
  return [
    ...(current_time === null ? [] : [`statusline: ${previous_time ?? 'first seen'} → ${current_time}`]),
    ...(silent_seconds === null ? [] : [`no proof of life for ${silent_seconds} s`]),
    ...(session_state === other_checks ? [] : [`other checks say ${other_checks}; the clock decides`]),
  ]
}
