// Owns the `holdfast` that agents find first on their PATH: this installation's, whatever else is installed.
import { randomUUID } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const NAME = 'holdfast'
const OURS_ONLY = 0o700

/** Node and this CLI, by absolute path: neither depends on the PATH of who calls it. */
export type OwnCommand = readonly [node: string, script: string]

/** Puts the command into the directory, or restores it. Done before every launch: it is cheap, and agents may delete it. */
export function placeOwnCommand(directory: string, command: OwnCommand): void {
  makePrivate(directory)
  const path = `${directory}/${NAME}`
  const text = scriptFor(command)
  if (!isAsItShouldBe(path, text)) replace(path, text)
}

/** The PATH with our directory first. Undefined without a PATH: then the agent's shell chooses one, which we do not know. */
export const withOwnCommand = (directory: string, path: string | undefined) =>
  path ? [directory, ...path.split(':').filter((one) => one !== directory)].join(':') : undefined

/** A link in the place of the directory could lead to somebody else's. */
function makePrivate(directory: string): void {
  const found = lstatSync(directory, { throwIfNoEntry: false })
  if (found !== undefined && !found.isDirectory()) rmSync(directory)
  mkdirSync(directory, { recursive: true, mode: OURS_ONLY })
  if (found?.isDirectory() && (found.mode & 0o777) !== OURS_ONLY) chmodSync(directory, OURS_ONLY)
}

function isAsItShouldBe(path: string, text: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  const isOurs = found?.isFile() && found.nlink === 1 && (found.mode & 0o777) === OURS_ONLY
  return isOurs === true && readFileSync(path, 'utf8') === text
}

/** Replaced by a rename, whole or not at all: somebody may be running it. */
function replace(path: string, text: string): void {
  const fresh = `${path}.${randomUUID()}`
  try {
    writeFileSync(fresh, text, { flag: 'wx', mode: OURS_ONLY })
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmSync(path, { recursive: true })
    renameSync(fresh, path)
  } finally {
    rmSync(fresh, { force: true })
  }
}

const scriptFor = (command: OwnCommand) => `#!/bin/sh\nexec ${command.map(quoted).join(' ')} "$@"\n`

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
