// Owns finding out a program's version: from the package it lies in, which is quick and does not depend on whether it
// can run here, else by asking it.
import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { exec } from '../processes/exec.ts'

type Env = Readonly<Record<string, string | undefined>>
const VERSION = /\d+\.\d+\.\d+/
const ANSWERS_WITHIN_MS = 15_000
const MOST_PARENTS = 6

/** Null when there is no version in its answer. */
export async function askVersion(path: string, args: readonly string[], env: Env): Promise<string | null> {
  const { stdout, stderr } = await exec([path, ...args], { env, timeoutMs: ANSWERS_WITHIN_MS })
  return VERSION.exec(`${stdout}\n${stderr}`)?.[0] ?? null
}

/** Answers of programs that were asked, by path and time of change of the file. */
const versions = new Map<string, Promise<string | null>>()

export async function versionOf(path: string, args: readonly string[], env: Env): Promise<string | null> {
  const packaged = packagedVersion(path)
  if (packaged !== null) return packaged
  const key = `${path} ${statSync(path, { throwIfNoEntry: false })?.mtimeMs}`
  const answer = versions.get(key) ?? askVersion(path, args, env)
  versions.set(key, answer)
  return answer
}

/** The version of the package whose `bin` names this very file; null when there is none. */
export function packagedVersion(path: string): string | null {
  try {
    const file = realpathSync(path)
    let dir = dirname(file)
    for (let up = 0; up < MOST_PARENTS; up++, dir = dirname(dir)) {
      const found = readPackage(dir)
      if (found === undefined) continue
      return found.programs.includes(file) ? found.version : null
    }
    return null
  } catch {
    return null
  }
}

function readPackage(
  dir: string,
): { readonly version: string | null; readonly programs: string[] } | undefined {
  let text: string
  try {
    text = readFileSync(join(dir, 'package.json'), 'utf8')
  } catch {
    return undefined
  }
  const { version, bin } = JSON.parse(text)
  const files: unknown[] = typeof bin === 'string' ? [bin] : Object.values(bin ?? {})
  const programs = files.flatMap((file) => (typeof file === 'string' ? [resolve(dir, file)] : []))
  return { version: VERSION.exec(String(version))?.[0] ?? null, programs }
}

const LONGEST_FIRST_LINE = 200

/** Judged by its first line: a compiled program of the same name needs no Node. */
export function isNodeScript(path: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      const head = Buffer.alloc(LONGEST_FIRST_LINE)
      const [first = ''] = head.toString('utf8', 0, readSync(file, head, 0, head.length, 0)).split('\n', 1)
      return /^#!.*\bnode\b/.test(first)
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
