// Owns verification: the checks of a contract, one after the other, and a fingerprint of what they read.
import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { HoldfastError } from '../../domain/errors.ts'
import { asRunId, type RunId } from '../../domain/names/ids.ts'
import { unless } from '../../domain/system-error.ts'
import { type Check, checkText, type VerifyContract } from '../../domain/verify/contract.ts'
import { isVerifyRun, verifyPrefix, verifyRunId } from '../../domain/verify/run-id.ts'
import type { CheckResult, Subject, Verified, Verifier } from '../../ports/verifier.ts'
import { checkFiles } from './check-files.ts'
import { fileState } from './file-below.ts'
import { schemaProblem } from './json-schema.ts'
import { type CommandWorld, endMarked, runCommand, untilRecorded } from './run-command.ts'
import { addTreeState } from './tree-state.ts'

export class ShimVerifier implements Verifier {
  readonly #world: CommandWorld
  /** By whose work is verified: the last verification, while it is going on. */
  readonly #last = new Map<string, { readonly name: string; readonly mine: Promise<Verified> }>()

  constructor(world: CommandWorld) {
    this.#world = world
  }

  accept({ checks }: VerifyContract): void {
    for (const [at, check] of checks.entries()) {
      const problem = check.kind === 'schema' ? schemaProblem(check.schema) : undefined
      if (problem !== undefined)
        throw new HoldfastError('VERIFY_INVALID', `the contract: check ${at + 1}: 'schema': ${problem}.`)
    }
  }

  verify(contract: VerifyContract, subject: Subject, signal?: AbortSignal): Promise<Verified> {
    const before = this.#last.get(subject.whose)
    if (before?.name === subject.name) return before.mine
    const begin = () => this.#verify(contract, subject, signal)
    const mine = before === undefined ? begin() : before.mine.then(begin, begin)
    const last = { name: subject.name, mine }
    this.#last.set(subject.whose, last)
    const over = () => {
      if (this.#last.get(subject.whose) === last) this.#last.delete(subject.whose)
    }
    mine.then(over, over)
    return mine
  }

  async #verify(contract: VerifyContract, subject: Subject, signal?: AbortSignal): Promise<Verified> {
    signal?.throwIfAborted()
    await this.#endOthers(subject)
    const before = await stateOf(contract, subject)
    const checks: CheckResult[] = []
    for (const [at, check] of contract.checks.entries())
      checks.push(await this.#check(check, at + 1, subject, signal))
    const failures = checks.filter(({ ok }) => !ok).map(({ check, why }) => `${check}: ${why}`)
    return {
      verified: failures.length === 0,
      checks,
      found: fingerprint(before, failures),
      left: fingerprint(await stateOf(contract, subject), failures),
    }
  }

  async #check(check: Check, number: number, subject: Subject, signal?: AbortSignal): Promise<CheckResult> {
    const outcome =
      check.kind === 'command'
        ? await this.#run(check, number, subject, signal)
        : { why: checkFiles(check, subject.dir, subject.result), output: '' }
    return { check: checkText(check), ok: outcome.why === null, ...outcome }
  }

  #run(check: Extract<Check, { kind: 'command' }>, number: number, subject: Subject, signal?: AbortSignal) {
    const { whose, name, taskId, dir, env, sessionDir, outputLog } = subject
    const launch = {
      taskId,
      argv: check.argv,
      cwd: dir,
      env,
      sessionDir,
      outputLog,
      hearing: 'once',
      stdin: '',
      files: [],
    } as const
    const idOf = (start: number) => verifyRunId(whose, name, number, start)
    return runCommand({ idOf, launch, timeoutMs: check.timeoutMs }, this.#world, signal)
  }

  /** An earlier daemon may have died during another verification of the same work: what it left is ended. */
  async #endOthers({ whose, name }: Subject): Promise<void> {
    const own = `${verifyPrefix(whose)}${name}-`
    await this.#remove((id) => id.startsWith(verifyPrefix(whose)) && !id.startsWith(own))
  }

  async forget(whose: string, name: string): Promise<void> {
    await this.#remove((id) => id.startsWith(`${verifyPrefix(whose)}${name}-`))
  }

  async forgetOthers(kept: readonly Pick<Subject, 'whose' | 'name'>[]): Promise<void> {
    const prefixes = kept.map(({ whose, name }) => `${verifyPrefix(whose)}${name}-`)
    await this.#remove((id) => !prefixes.some((prefix) => id.startsWith(prefix)))
  }

  async #remove(wanted: (id: RunId) => boolean): Promise<void> {
    const { home } = this.#world
    const names = await readdir(home.runs).catch(unless<string[]>([], 'ENOENT'))
    for (const id of names.filter(isVerifyRun).map(asRunId).filter(wanted)) {
      await endMarked(id, this.#world)
      await untilRecorded(id, this.#world)
      // The exit record first: left behind alone, it would be taken for that of a later run.
      await rm(`${home.exits}/${id}.json`, { force: true })
      await rm(home.run(id), { recursive: true, force: true })
    }
  }
}

/** A hash of everything that the contract's checks read. A command may read anything in the directory. */
async function stateOf({ checks }: VerifyContract, { dir, result }: Subject): Promise<string> {
  const hash = createHash('sha256')
  for (const check of checks) {
    if (check.kind === 'command') continue
    hash.update(
      check.path === null ? `result ${result ?? ''}\0` : `${check.path} ${fileState(dir, check.path)}\0`,
    )
  }
  if (checks.some(({ kind }) => kind === 'command')) await addTreeState(hash, dir)
  return hash.digest('hex')
}

const fingerprint = (state: string, failures: readonly string[]) =>
  createHash('sha256')
    .update([state, ...failures].join('\0'))
    .digest('hex')
