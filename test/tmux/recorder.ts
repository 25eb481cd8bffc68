import { readFileSync } from 'node:fs'
import { waitFor } from '../helpers/wait-for.ts'

/** A program that writes its arguments, NUL-separated and whole, to a file, and stays. */
export const recorder = (file: string) => [
  '/bin/sh',
  '-c',
  'printf "%s\\0" "$@" > "$0.tmp"; mv "$0.tmp" "$0"; exec sleep 1000',
  file,
]

export const recorded = async (file: string) => (await written(file)).split('\0').slice(0, -1)

/** A file's text, once it is there. */
export const written = (file: string) => waitFor(`${file} to be written`, () => readIf(file))

export function readIf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
