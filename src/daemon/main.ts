// The daemon's entry: `daemon.js --home DIR`. Exit 75: another daemon has this home.
import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { defaultHome, homePaths } from '../domain/names/home.ts'
import { redactSecrets } from '../domain/text/redact-secrets.ts'
import { openLog } from '../system/logs/logger.ts'
import { runDaemon } from './run-daemon.ts'

const LOCK_HELD_EXIT = 75
const STDERR = 2

async function main(): Promise<void> {
  let shutdown = (): void => process.exit(0)
  const daemon = await runDaemon(ownHome(), process.env, () => shutdown())
  if (daemon === undefined) process.exit(LOCK_HELD_EXIT)
  let stopping = false
  shutdown = () => {
    if (stopping) return
    stopping = true
    // A moment later: the request that asked for it is answered first.
    setImmediate(() => daemon.stop().then(() => process.exit(0), fatal))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, shutdown)
  // The daemon goes on when its terminal is closed.
  process.on('SIGHUP', () => undefined)
}

const ownHome = () => {
  const { values } = parseArgs({ options: { home: { type: 'string' } } })
  return values.home ?? defaultHome(process.env)
}

/** Dying is safe, going on in an unknown state is not. The last line on stderr tells the client why. */
function fatal(error: unknown): never {
  const code = error instanceof HoldfastError ? error.code : 'INTERNAL'
  const stack = error instanceof Error && code === 'INTERNAL' ? redactSecrets(error.stack ?? '') : undefined
  const last = { code, message: redactSecrets(messageOf(error)), stack }
  logDeath(last)
  try {
    writeSync(STDERR, `${JSON.stringify({ fatal: last, pid: process.pid })}\n`)
  } catch {
    // Nobody reads stderr any more.
  }
  process.exit(1)
}

/** Writes nothing into a home that another user could have prepared. */
function logDeath(fields: {
  readonly code: string
  readonly message: string
  readonly stack?: string
}): void {
  try {
    const { daemonLog } = homePaths(ownHome())
    if (fields.code !== 'HOME_UNSAFE') openLog(daemonLog).error('the daemon ends after an error', fields)
  } catch {
    // Without a valid path of the home there is no log.
  }
}

process.on('uncaughtException', fatal)
process.on('unhandledRejection', fatal)
await main().catch(fatal)
