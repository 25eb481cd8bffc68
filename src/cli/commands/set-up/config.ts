// Owns the commands that show and change settings.
import { HoldfastError, isHoldfastError } from '../../../domain/errors.ts'
import { settings } from '../../../domain/settings/config.ts'
import { settingKey } from '../../../domain/settings/merge-config.ts'
import type { ReadAt } from '../../../domain/settings/table/setting.ts'
import { redactSecrets } from '../../../domain/text/redact-secrets.ts'
import type { ConfigEntryJson } from '../../../protocol/json/project-json.ts'
import { userConfigDir } from '../../../system/settings/load-config.ts'
import { changeSetting } from '../../../system/settings/write-settings.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'
import { type Column, table } from '../../render/print/table.ts'
import { isPerson } from '../../wire/caller.ts'

const columns: readonly Column<ConfigEntryJson>[] = [
  { title: 'KEY', of: ({ key }) => key, least: 12, rank: 3 },
  { title: 'VALUE', of: ({ text }) => text, least: 6, rank: 2 },
  { title: 'SOURCE', of: ({ source }) => source, least: 7, rank: 1 },
]

export async function showConfig({ options }: InputOf<'config show'>, context: Context): Promise<number> {
  const query = { dir: context.path(options.dir) }
  const answer = await context.daemon().call('GET /api/config', { query })
  context.show(answer, () => table(columns, answer.entries, context.width()))
  if (!context.json)
    for (const note of answer.notes) context.say(`Notice: ${oneLine(note)}; see \`holdfast trust\``)
  return 0
}

/** Prints only the value, as it is written in a file: for scripts. */
export async function getConfig({ args, options }: InputOf<'config get'>, context: Context): Promise<number> {
  const key = settingKey(args.key)
  const query = { dir: context.path(options.dir) }
  const { entries } = await context.daemon().call('GET /api/config', { query })
  const entry = entries.find((one) => one.key === key)
  if (entry === undefined)
    throw new HoldfastError('DAEMON_OTHER_VERSION', `The daemon does not know the setting '${key}'.`)
  context.show(entry, () => [oneLine(entry.text)])
  return 0
}

export async function setConfig({ args, options }: InputOf<'config set'>, context: Context): Promise<number> {
  refuseRun(context)
  const key = settingKey(args.key)
  if (options.unset === args.value.length > 0)
    throw new HoldfastError(
      'USAGE',
      'Give a value: `holdfast config set <key> <value>`, or remove the setting with `holdfast config set <key> --unset`.',
    )
  const text = options.unset ? undefined : args.value.join(' ')
  const file = await changeSetting(userConfigDir(context.env), { key, text })
  const { readAt } = settings[key]
  const restart = readAt === 'start' && (await isRunning(context))
  context.show({ key, file, restart_needed: restart }, () => [
    text === undefined
      ? `Removed from ${file}: ${key}`
      : `Set in ${file}: ${key} = ${oneLine(redactSecrets(text))}`,
    restart || readAt !== 'start' ? APPLIES[readAt] : NOT_RUNNING,
  ])
  return 0
}

const APPLIES: Readonly<Record<ReadAt, string>> = {
  start: 'To apply it, restart the daemon: `holdfast down && holdfast up`. Running agents go on.',
  create: 'It applies to sessions that are created from now on.',
  use: 'It applies from now on.',
}
const NOT_RUNNING = 'It applies from the next start of the daemon on.'

export function refuseRun({ env }: Pick<Context, 'env'>): void {
  if (!isPerson(env)) throw new HoldfastError('NOT_ALLOWED_FOR_RUN', 'A run may not change your settings.')
}

const isRunning = ({ runningDaemon }: Context) =>
  runningDaemon()
    .call('GET /api/health')
    .then(
      () => true,
      (error) => {
        if (isHoldfastError(error)) return false
        throw error
      },
    )
