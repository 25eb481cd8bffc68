// Owns which error code an error of a database becomes. An error that is not in these tables is our bug and stays as it is.
import { type ErrorCode, HoldfastError, messageOf } from '../../domain/errors.ts'
import { diskCode, isErrno } from '../../domain/system-error.ts'
import type { Backend } from './backends.ts'

/** Every call of a database goes through here. */
export async function withStoreErrors<T>(backend: Backend, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const code = error instanceof HoldfastError ? undefined : backend.errorCode(error)
    if (code === undefined) throw error
    throw new HoldfastError(code, `The store failed: ${messageOf(error)}.`, { cause: error })
  }
}

type BackendError = { readonly code?: unknown; readonly errcode?: unknown }

/** SQLite's result codes; an extended code that is not listed counts as its primary one, the low byte. */
const sqliteCodes: Readonly<Record<number, ErrorCode>> = {
  3: 'HOME_NOT_WRITABLE', // PERM
  5: 'STORE_LOCKED', // BUSY
  6: 'STORE_LOCKED', // LOCKED
  8: 'HOME_NOT_WRITABLE', // READONLY
  10: 'HOME_NOT_WRITABLE', // IOERR
  11: 'STORE_CORRUPT', // CORRUPT
  13: 'DISK_FULL', // FULL
  14: 'HOME_NOT_WRITABLE', // CANTOPEN
  26: 'STORE_CORRUPT', // NOTADB
  778: 'DISK_FULL', // IOERR_WRITE: what a used-up quota gives
  4874: 'DISK_FULL', // IOERR_SHMSIZE: no room for the -shm file
}
/** For the file of the database, these errors too mean that it cannot be written. */
const NO_FILE = ['EISDIR', 'ENOENT', 'ENOTDIR']

export function sqliteErrorCode(error: unknown): ErrorCode | undefined {
  const { errcode } = (error ?? {}) as BackendError
  if (typeof errcode === 'number') return sqliteCodes[errcode] ?? sqliteCodes[errcode & 0xff]
  return isErrno(error, ...NO_FILE) ? 'HOME_NOT_WRITABLE' : diskCode(error)
}

/** SQLSTATEs and, by their first two characters, classes of them. */
const postgresCodes: Readonly<Record<string, ErrorCode>> = {
  '08': 'STORE_UNREACHABLE', // connection
  '25006': 'STORE_UNREACHABLE', // read-only: a standby, or a server that was told so
  '25P03': 'STORE_UNREACHABLE', // idle in a transaction for too long: the server hung up
  '28': 'STORE_UNREACHABLE', // login
  '3D': 'STORE_UNREACHABLE', // no such database
  '40': 'STORE_LOCKED', // serialization, deadlock
  '53': 'STORE_UNREACHABLE', // out of connections or memory
  '53100': 'DISK_FULL',
  '55P03': 'STORE_LOCKED', // lock timeout
  '57P01': 'STORE_UNREACHABLE', // shut down by its administrator
  '57P02': 'STORE_UNREACHABLE', // crashed
  '57P03': 'STORE_UNREACHABLE', // starting up
  XX001: 'STORE_CORRUPT',
  XX002: 'STORE_CORRUPT',
}

export function postgresErrorCode(error: unknown): ErrorCode | undefined {
  const { code } = (error ?? {}) as BackendError
  if (typeof code !== 'string') return isLostConnection(error) ? 'STORE_UNREACHABLE' : undefined
  if (SYSTEM_ERROR.test(code)) return 'STORE_UNREACHABLE'
  return postgresCodes[code] ?? postgresCodes[code.slice(0, 2)]
}

/** ECONNREFUSED, EAI_AGAIN; but not Node's own ERR_INVALID_ARG_TYPE, which is our bug. */
const SYSTEM_ERROR = /^E(?!RR_)/

/** The driver gives errors of a lost connection no code. */
const isLostConnection = (error: unknown) =>
  /connection|terminated|timeout exceeded when trying to connect/i.test(messageOf(error))
