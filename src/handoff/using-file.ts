import { closeSync } from 'node:fs'

/** Uses a descriptor and closes it, whatever happens. */
export function usingFile<T>(file: number, use: (file: number) => T): T {
  try {
    return use(file)
  } finally {
    closeSync(file)
  }
}
