// Owns how Kysely uses the node:sqlite API: one connection, used by one caller at a time, writing in BEGIN IMMEDIATE.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Sqlite } from './sqlite-library.ts'

type Statement = ReturnType<Sqlite['prepare']>

export const sqliteDialect = (sqlite: Sqlite): Dialect => ({
  createDriver: () => new SqliteDriver(sqlite),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

/** Waiting for a lock holds up the whole daemon: once a write failed because of it, the next ones wait only this long. */
const WHILE_LOCKED_MS = 20

class SqliteDriver implements Driver {
  readonly #sqlite: Sqlite
  readonly #connection: SqliteConnection
  readonly #patienceMs: number
  #isLocked = false
  #lastTurn: Promise<void> = Promise.resolve()
  #endTurn = () => {}

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite
    this.#connection = new SqliteConnection(sqlite)
    this.#patienceMs = Number(sqlite.prepare('PRAGMA busy_timeout').get()?.timeout)
  }

  async init() {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#lastTurn
    let endTurn = () => {}
    this.#lastTurn = new Promise((resolve) => {
      endTurn = resolve
    })
    await before
    this.#endTurn = endTurn
    return this.#connection
  }

  async releaseConnection() {
    this.#endTurn()
  }

  /** IMMEDIATE, because a transaction that first reads and then writes would fail when another one wrote in between. */
  async beginTransaction() {
    try {
      this.#sqlite.exec('BEGIN IMMEDIATE')
    } catch (error) {
      this.#noteLocked(true)
      throw error
    }
    this.#noteLocked(false)
  }

  #noteLocked(isLocked: boolean) {
    if (isLocked === this.#isLocked) return
    this.#isLocked = isLocked
    this.#sqlite.exec(`PRAGMA busy_timeout=${isLocked ? WHILE_LOCKED_MS : this.#patienceMs}`)
  }

  async commitTransaction() {
    this.#sqlite.exec('COMMIT')
  }

  /** On a full disk SQLite has rolled back by itself; a second ROLLBACK would fail and hide the reason. */
  async rollbackTransaction() {
    if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK')
  }

  async destroy() {
    await this.#lastTurn
    this.#checkpoint()
    this.#sqlite.close()
  }

  /**
   * SQLite makes no checkpoint on closing, because the library keeps its files open until its statements are garbage
   * collected. Then a copy of the main file alone would lack the latest commits. A checkpoint that fails does no harm: the
   * -wal file is read next time.
   */
  #checkpoint() {
    try {
      this.#sqlite.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch {}
  }
}

/** We have fewer different statements; but lists of different lengths make new ones. */
const STATEMENTS_KEPT = 500

class SqliteConnection implements DatabaseConnection {
  readonly #sqlite: Sqlite
  readonly #statements = new Map<string, { statement: Statement; hasRows: boolean }>()

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, hasRows } = this.#statements.get(sql) ?? this.#prepare(sql)
    if (hasRows) return { rows: statement.all(...parameters) }
    return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
  }

  #prepare(sql: string) {
    const statement = this.#sqlite.prepare(sql)
    const prepared = { statement, hasRows: statement.columns().length > 0 }
    if (this.#statements.size >= STATEMENTS_KEPT) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for a generator
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('Results are read whole, not streamed.')
  }
}
