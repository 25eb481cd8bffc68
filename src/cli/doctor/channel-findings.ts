// Owns what `doctor` says of the channels by which people are told, when a daemon runs.
import { isHoldfastError } from '../../domain/errors.ts'
import type { ChannelJson } from '../../protocol/json/notify-json.ts'
import type { Context } from '../context.ts'
import type { Finding } from './diagnose.ts'

export async function channelFindings({ runningDaemon }: Context): Promise<Finding[]> {
  try {
    const { channels } = await runningDaemon().call('GET /api/notify/channels')
    return channels.map(findingOf)
  } catch (error) {
    // No daemon, or one of an earlier version: that is told elsewhere.
    if (isHoldfastError(error)) return []
    throw error
  }
}

function findingOf({ name, type, problem, waiting, set_aside, last_error }: ChannelJson): Finding {
  const what = `${name} (${type})`
  const warn = (detail: string, fix: string): Finding => ({ name: 'channel', state: 'warn', detail, fix })
  if (problem !== null)
    return warn(`${what}: ${problem}`, 'correct `notify.channels` in your config, or the file')
  if (set_aside > 0)
    return warn(
      `${what}: ${set_aside} notices were set aside: ${last_error ?? 'unknown'}`,
      `\`holdfast notify test ${name}\`, and when that works \`holdfast notify retry ${name}\``,
    )
  if (waiting > 0 && last_error !== null)
    return warn(
      `${what}: ${waiting} notices wait: ${last_error}`,
      `\`holdfast notify log --channel ${name}\``,
    )
  return {
    name: 'channel',
    state: 'ok',
    detail: `${what}${waiting > 0 ? `: ${waiting} notices wait` : ''}`,
    fix: null,
  }
}
