// The daemon's entry: `daemon.js --home DIR`. Exit 75: another daemon has this home.
import { parseArgs } from 'node:util'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { defaultHome } from '../domain/home.ts'
import { runDaemon } from './run-daemon.ts'

const LOCK_HELD_EXIT = 75

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { home: { type: 'string' } } })
  let shutdown = (): void => process.exit(0)
  const daemon = await runDaemon(values.home ?? defaultHome(process.env), process.env, () => shutdown())
  if (daemon === undefined) process.exit(LOCK_HELD_EXIT)
  let stopping = false
  shutdown = () => {
    if (stopping) return
    stopping = true
    // Answered first: the request that asked for it is still open.
    setImmediate(() => daemon.stop().then(() => process.exit(0), fatal))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, shutdown)
  // Its terminal may go; the daemon stays.
  process.on('SIGHUP', () => undefined)
}

/** Dying is safe, going on in an unknown state is not. The last line tells the client why. */
function fatal(error: unknown): never {
  const code = error instanceof HoldfastError ? error.code : 'INTERNAL'
  const stack = error instanceof Error && code === 'INTERNAL' ? error.stack : undefined
  process.stderr.write(`${JSON.stringify({ fatal: { code, message: messageOf(error), stack } })}\n`)
  process.exit(1)
}

process.on('uncaughtException', fatal)
process.on('unhandledRejection', fatal)
await main().catch(fatal)
