// Owns putting together what tells people: channels of the settings, the subscriber that finds what is to be told, and
// the sender.
import { openChannels } from '../channels/open-channels.ts'
import { isHoldfastError } from '../domain/errors.ts'
import type { HomePaths } from '../domain/names/home.ts'
import type { Config } from '../domain/settings/config.ts'
import { openNotify } from '../notify/notify.ts'
import { NoticeSender } from '../notify/sender.ts'
import { noticesSubscription } from '../notify/subscription.ts'
import type { Log } from '../ports/log.ts'
import type { Desk } from '../supervisor/desk.ts'
import { systemClock } from '../system/clock.ts'
import { systemIds } from '../system/ids.ts'
import { exec } from '../system/processes/exec.ts'
import { ringTerminals } from '../system/ring-terminals.ts'
import { loadConfig } from '../system/settings/load-config.ts'
import { readSecret } from '../system/settings/read-secret.ts'
import { openTickets } from '../system/tokens/tickets.ts'
import type { TmuxTerminal } from '../tmux/tmux-terminal.ts'
import { terminalsOf } from './terminals-of.ts'

const COMMAND_PATIENCE_MS = 60_000

type Needs = {
  readonly desk: Desk
  readonly config: Config
  readonly paths: HomePaths
  readonly env: NodeJS.ProcessEnv
  readonly userDir: string
  readonly terminal: TmuxTerminal
  readonly log: Log
}

export async function openNotifications({ desk, config, paths, env, userDir, terminal, log }: Needs) {
  const settings = config['notify.channels']
  const channels = openChannels(settings, {
    clock: systemClock,
    log,
    publicUrl: config['notify.publicUrl'],
    secret: async (place) => readSecret(place, env),
    run: (argv, input) => exec(argv, { env, input, timeoutMs: COMMAND_PATIENCE_MS }),
    ring: async (ids) => ringTerminals(await terminalsOf(ids, desk.tasks, terminal)),
  })
  const tickets = await openTickets(paths.noticeKey)
  const quietHours = (name: string) => {
    const own = settings[name]?.quietHours
    return own === undefined ? config['notify.quietHours'] : own
  }
  const shared = { desk, tickets, clock: systemClock, log, channels, quietHours, newId: systemIds.random }
  return {
    subscription: noticesSubscription({
      desk,
      rules: config['notify.rules'],
      channels: Object.keys(settings),
      kindsFor: (project) => kindsFor(project, userDir, config),
    }),
    sender: new NoticeSender({
      ...shared,
      groupMs: config['notify.group'],
      giveUpAfterMs: config['notify.giveUpAfter'],
    }),
    notify: openNotify({ ...shared, answerWithinMs: config['notify.answerWithin'] }),
  }
}

/** A project may leave some out. Where the files cannot be used now, what the user had set as the daemon started counts. */
async function kindsFor(project: string | null, userDir: string, own: Config) {
  try {
    return (await loadConfig(userDir, project ?? undefined)).config['notify.events']
  } catch (error) {
    if (isHoldfastError(error)) return own['notify.events']
    throw error
  }
}
