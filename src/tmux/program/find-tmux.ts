// Owns finding tmux, and checking that it is new enough.
import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { HoldfastError, messageOf } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import { isNewEnough } from '../../domain/names/tmux-version.ts'
import type { Clock } from '../../ports/clock.ts'
import { askVersion } from './spawn.ts'

export type FoundTmux = { readonly path: string; readonly version: string }

const ANSWERS_WITHIN_MS = 5_000

/** TMUX_MISSING when there is none on the PATH, TMUX_TOO_OLD below 3.2. */
export async function findTmux(
  pathVariable: string | undefined,
  clock: Clock,
  program = 'tmux',
): Promise<FoundTmux> {
  const path = candidates(program, pathVariable ?? '').find(isExecutable)
  if (path === undefined) throw new HoldfastError('TMUX_MISSING', `There is no ${program} on the PATH.`)
  const version = await versionOf(path, clock)
  if (!isNewEnough(version))
    throw new HoldfastError(
      'TMUX_TOO_OLD',
      `${path} says '${printable(version)}'; Holdfast needs tmux 3.2 or later.`,
    )
  return { path, version }
}

const candidates = (program: string, pathVariable: string) =>
  isAbsolute(program)
    ? [program]
    : pathVariable
        .split(':')
        .filter(isAbsolute)
        .map((dir) => join(dir, program))

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

async function versionOf(path: string, clock: Clock): Promise<string> {
  try {
    const { stdout } = await askVersion(path, { clock, timeoutMs: ANSWERS_WITHIN_MS })
    return stdout.trim()
  } catch (error) {
    throw new HoldfastError('TMUX_MISSING', `${path} cannot be run: ${messageOf(error)}`, { cause: error })
  }
}
