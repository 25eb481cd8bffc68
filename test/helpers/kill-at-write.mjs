// Loaded into the daemon by NODE_OPTIONS=--import: notes every write to the world outside its process in
// KILL_AT_WRITE_LOG, a line each, and ends it with SIGKILL just before the one whose number is KILL_AT_WRITE, or just
// before the first commit after a run in KILL_AFTER_PID (a directory of runs) has written down its process.
import { createRequire, syncBuiltinESMExports } from 'node:module'

const { KILL_AT_WRITE, KILL_AT_WRITE_LOG, KILL_AFTER_PID } = process.env
const require = createRequire(process.argv[1])
const fs = require('node:fs')
const { writeSync } = fs
const log = fs.openSync(KILL_AT_WRITE_LOG, 'a')
const kill = process.kill
let count = 0

/** Whoever sends SIGKILL to itself does not return from the call. */
function boundary(what) {
  writeSync(log, `${++count} ${what}\n`)
  if (count === Number(KILL_AT_WRITE) || (what.startsWith('sqlite') && hasPid()))
    kill.call(process, process.pid, 'SIGKILL')
}

const hasPid = () =>
  KILL_AFTER_PID !== undefined &&
  fs.existsSync(KILL_AFTER_PID) &&
  fs.readdirSync(KILL_AFTER_PID).some((run) => fs.existsSync(`${KILL_AFTER_PID}/${run}/pid`))

function wrap(owner, kind, names) {
  for (const name of names) {
    const original = owner[name]
    owner[name] = function (...args) {
      boundary(`${kind}.${name} ${placeOf(args)}`)
      return original.apply(this, args)
    }
  }
}

const placeOf = (args) =>
  args
    .filter((arg) => typeof arg === 'string' && arg.startsWith('/'))
    .map((path) => path.split('/').slice(-2).join('/'))
    .join(' ')

// appendFileSync is left out: it calls writeFileSync.
const BY_PATH = [
  'chmod',
  'copyFile',
  'link',
  'mkdir',
  'rename',
  'rm',
  'rmdir',
  'symlink',
  'truncate',
  'unlink',
]
const BY_DESCRIPTOR = ['fchmod', 'fdatasync', 'fsync', 'ftruncate', 'write', 'writev', 'writeFile']
const OF_HANDLES = ['appendFile', 'chmod', 'datasync', 'sync', 'truncate', 'write', 'writev', 'writeFile']
const handle = await fs.promises.open('/dev/null')
wrap(Object.getPrototypeOf(handle), 'handle', OF_HANDLES)
await handle.close()
wrap(fs.promises, 'promises', [...BY_PATH, 'appendFile', 'writeFile'])
wrap(
  fs,
  'fs',
  [...BY_PATH, ...BY_DESCRIPTOR].flatMap((name) => [name, `${name}Sync`]),
)
// Commands to tmux, answers to clients; programs; signals.
wrap(require('node:net').Socket.prototype, 'socket', ['write'])
wrap(require('node:child_process'), 'child', ['spawn'])
wrap(process, 'process', ['kill'])
syncBuiltinESMExports()

/** A write counts when it is committed: inside a transaction nothing has happened yet. */
const counting = (DatabaseSync) =>
  class extends DatabaseSync {
    exec(sql) {
      if (/^(COMMIT|BEGIN EXCLUSIVE)|; BEGIN/.test(sql)) boundary(`sqlite ${sql}`)
      return super.exec(sql)
    }

    prepare(sql) {
      const statement = super.prepare(sql)
      if (!/^\s*(insert|update|delete|create|alter|drop)/i.test(sql)) return statement
      const alone =
        (name) =>
        (...values) => {
          if (!this.isTransaction) boundary(`sqlite ${sql.slice(0, 40)}`)
          return statement[name](...values)
        }
      return { columns: () => statement.columns(), all: alone('all'), run: alone('run') }
    }
  }

const isBuiltIn = Number.parseInt(process.versions.node, 10) >= 24
const name = isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite'
const library = require(name)
const counted = { ...library, DatabaseSync: counting(library.DatabaseSync) }
if (isBuiltIn) library.DatabaseSync = counted.DatabaseSync
else require.cache[require.resolve(name)].exports = counted
