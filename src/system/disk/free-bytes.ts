import { statfs } from 'node:fs/promises'

/** Bytes that the user can still write where this path lies; undefined when that cannot be told. */
export const freeBytes = (path: string): Promise<number | undefined> =>
  statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  )
