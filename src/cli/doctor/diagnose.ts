// Owns what `doctor` checks without a daemon: programs, and the home.
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCatalogue } from '../../domain/errors/catalogue.ts'
import { messageOf } from '../../domain/errors.ts'
import { homePaths } from '../../domain/names/home.ts'
import { isNewEnough } from '../../domain/names/tmux-version.ts'
import { freeSpace } from '../../domain/text/free-space.ts'
import { unsafeHome } from '../../system/home/safe-home.ts'
import { exec } from '../../system/processes/exec.ts'

export type Finding = {
  readonly name: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** How to fix it; null when nothing is wrong. */
  readonly fix: string | null
}

type Env = Readonly<Record<string, string | undefined>>
const OLDEST_NODE = 20
const ok = (name: string, detail: string): Finding => ({ name, state: 'ok', detail, fix: null })
const fail = (name: string, detail: string, fix: string): Finding => ({ name, state: 'fail', detail, fix })
const warn = (name: string, detail: string, fix: string): Finding => ({ name, state: 'warn', detail, fix })

export async function programFindings(env: Env, nodeVersion = process.versions.node): Promise<Finding[]> {
  return [nodeFinding(nodeVersion), await tmuxFinding(env), onPath('sh', env), onPath('setsid', env)]
}

function nodeFinding(version: string): Finding {
  return Number.parseInt(version, 10) >= OLDEST_NODE
    ? ok('node', version)
    : fail('node', `${version} is too old`, `install Node ${OLDEST_NODE} or later`)
}

async function tmuxFinding(env: Env): Promise<Finding> {
  const { code, stdout } = await exec(['tmux', '-V'], { env, timeoutMs: 5000 })
  const install = 'apt install tmux, or brew install tmux'
  if (code !== 0) return fail('tmux', 'not found, or it cannot be run', install)
  const version = stdout.trim()
  return isNewEnough(version) ? ok('tmux', version) : fail('tmux', `${version} is older than 3.2`, install)
}

function onPath(program: string, env: Env): Finding {
  const found = (env.PATH ?? '')
    .split(':')
    .filter((dir) => dir !== '')
    .map((dir) => join(dir, program))
    .find((path) => allows(path, constants.X_OK))
  return found === undefined
    ? fail(
        program,
        'not found on the PATH',
        program === 'setsid' ? 'install util-linux' : 'correct your PATH',
      )
    : ok(program, found)
}

export function homeFindings(home: string): Finding[] {
  return [writableFinding(home), pathFinding(home), ...privacyFindings(home), diskFinding(home)]
}

/** A home that does not exist yet is fine if it can be created. */
function writableFinding(home: string): Finding {
  return allows(existing(home), constants.W_OK | constants.X_OK)
    ? ok('home', existsSync(home) ? home : `${home} (the first command creates it)`)
    : fail(
        'home',
        `${home} is not writable`,
        'make it writable, or set HOLDFAST_HOME to a directory of your own',
      )
}

function pathFinding(home: string): Finding {
  try {
    return ok('socket', homePaths(home).socket)
  } catch (error) {
    return fail('socket', messageOf(error), 'set HOLDFAST_HOME to a shorter path')
  }
}

/** No command works while another user could change files of the home. */
function privacyFindings(home: string): Finding[] {
  const unsafe = unsafeHome(home)
  if (unsafe === undefined) return []
  const { path, why, fix } = unsafe
  return [fail('private', `${path} ${why}`, fix ?? errorCatalogue.HOME_UNSAFE.hint)]
}

function diskFinding(home: string): Finding {
  const { bavail, bsize } = statfsSync(existing(home))
  const { state, words } = freeSpace(bavail * bsize)
  const fix = 'free some space; Holdfast stops starting agents on a full disk'
  if (state === 'nearly_full') return fail('disk', words, fix)
  return state === 'little' ? warn('disk', words, fix) : ok('disk', words)
}

function existing(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : existing(dirname(path))
}

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
