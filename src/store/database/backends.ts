// Owns every difference between SQLite and PostgreSQL. No other file asks which of them is used.
import { CamelCasePlugin, type Dialect, Kysely, type LogConfig, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type ErrorCode, HoldfastError } from '../../domain/errors.ts'
import { type GroupSync, groupSync, syncedAlready } from './group-sync.ts'
import type { Tables } from './schema.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { openSqlite } from './sqlite-library.ts'
import { storableText } from './storable-text.ts'
import { postgresErrorCode, sqliteErrorCode } from './store-error.ts'

export type Backend = {
  readonly int: string
  readonly real: string
  /** A text type that compares by bytes in both, so that ranges and order agree. */
  readonly text: string
  /** A type for JSON that gives back the very text that was stored. */
  readonly json: string
  /** Functions that make a JSON array: of values, and of all rows in their order. */
  readonly jsonArrays: { readonly row: string; readonly rows: string }
  /** An expression: this field of a JSON column, as text. */
  readonly jsonField: (column: string, field: string) => string
  /** A primary key that counts up by itself. */
  readonly countingKey: string
  /** Turns the `?` of an SQL text into parameters as the database writes them. */
  readonly numbered: (text: string) => string
  /** An expression: a random text that occurs only once. */
  readonly randomText: string
  /** An expression: epoch ms by the clock of the store, which is the same for all nodes. */
  readonly nowMs: string
  /** Follows a table's columns. */
  readonly tableEnd: string
  /** A statement that makes others wait until the transaction ends. Null for SQLite: it has one write transaction at a time. */
  readonly lockSchema: string | null
  readonly locksRows: boolean
  readonly errorCode: (error: unknown) => ErrorCode | undefined
}

export const sqlite: Backend = {
  int: 'integer',
  real: 'real',
  text: 'text',
  json: 'text',
  jsonArrays: { row: 'json_array', rows: 'json_group_array' },
  jsonField: (column, field) => `json_extract(${column}, '$.${field}')`,
  countingKey: 'integer not null primary key',
  numbered: (text) => text,
  randomText: 'lower(hex(randomblob(8)))',
  nowMs: "cast((julianday('now') - 2440587.5) * 86400000 as integer)",
  tableEnd: 'strict',
  lockSchema: null,
  locksRows: false,
  errorCode: sqliteErrorCode,
}

const postgres: Backend = {
  int: 'bigint',
  real: 'double precision',
  text: 'text collate "C"',
  json: 'json',
  jsonArrays: { row: 'json_build_array', rows: 'json_agg' },
  jsonField: (column, field) => `(${column} ->> '${field}')`,
  countingKey: 'bigint generated always as identity primary key',
  numbered: (text) => {
    let count = 0
    return text.replace(/\?/g, () => `$${++count}`)
  },
  randomText: 'gen_random_uuid()::text',
  nowMs: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
  tableEnd: '',
  lockSchema: "select pg_advisory_xact_lock(hashtext('holdfast migrations'))",
  locksRows: true,
  errorCode: postgresErrorCode,
}

export type DatabasePlace =
  | { readonly path: string; readonly url?: undefined; readonly busyTimeoutMs?: number }
  | { readonly url: string; readonly path?: undefined }
export type Database = {
  readonly db: Kysely<Tables>
  readonly backend: Backend
  /** Waits for the disk: a commit counts only after that. */
  readonly disk: GroupSync
}

export const backendOf = ({ url }: DatabasePlace) => (url === undefined ? sqlite : postgres)

export const openDatabase = (place: DatabasePlace): Database => ({
  db: kyselyOver(openDialect(place)),
  backend: backendOf(place),
  disk: place.url === undefined ? groupSync(`${place.path}-wal`) : syncedAlready,
})

export async function closeDatabase({ db, disk }: Database): Promise<void> {
  await disk.close()
  await db.destroy()
}

function openDialect(place: DatabasePlace): Dialect {
  if (place.url === undefined) return sqliteDialect(openSqlite(place.path, place.busyTimeoutMs))
  if (!/^postgres(ql)?:\/\//.test(place.url) || !URL.canParse(place.url))
    throw new HoldfastError('CONFIG_INVALID', 'store.url must be a postgres:// or postgresql:// url.')
  return new PostgresDialect({ pool: openPool(place.url) })
}

/** Columns are snake_case in the database and camelCase here. */
export const kyselyOver = (dialect: Dialect, log?: LogConfig) =>
  new Kysely<Tables>({ dialect, log, plugins: [new CamelCasePlugin(), storableText] })

const CONNECT_TIMEOUT_MS = 5000
/** Row locks are held for milliseconds; a caller that waits longer gets an error. */
const LOCK_TIMEOUT_MS = 5000
/** A daemon that was stopped inside a transaction must not keep the other nodes waiting. */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  })
  // A query on a broken connection fails by itself, and the pool replaces the connection. Without a listener, the event
  // would end the daemon.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.JSON]: String,
}
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text')
