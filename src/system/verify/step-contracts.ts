// Owns finding the contract of a workflow step: in the workflow's state file, the project's steps, or the user's.
import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parse } from 'yaml'
import { HoldfastError, messageOf } from '../../domain/errors.ts'
import { checkName, isName, printable } from '../../domain/names/names.ts'
import { type Approval, mayWiden, notTrusted } from '../../domain/settings/approval.ts'
import { isErrno } from '../../domain/system-error.ts'
import { contentHash } from '../../domain/text/content-hash.ts'
import { firstLine } from '../../domain/text/first-line.ts'
import { checkYamlDepth } from '../../domain/text/yaml-depth.ts'
import {
  commandLines,
  parseContract,
  runsCommands,
  type VerifyContract,
} from '../../domain/verify/contract.ts'
import type { Claim } from '../../ports/files/trust.ts'
import { fileTrust } from '../settings/file-trust.ts'
import { NotAFile, textOf, withFileBelow } from './file-below.ts'
import { frontMatter } from './status-in-text.ts'
import { TookTooLong, withinTime } from './within-time.ts'

const LARGEST_BYTES = 1024 * 1024
const LONGEST_PARSE_MS = 1000

export type StepAsked = {
  readonly step: string
  readonly story: string
  readonly project: string
  readonly stateFile: string | undefined
}
type Found = { readonly raw: unknown; readonly source: string; readonly approval: Approval }

/** The first contract found. STEP_NOT_FOUND when there is none; NOT_TRUSTED when it runs commands that nobody approved. */
export async function stepContract(asked: StepAsked, userDir: string) {
  const { step, story } = asked
  checkName('Step', step)
  checkName('Story', story)
  const found =
    inStateFile(asked) ??
    (await inProject(asked, userDir)) ??
    inFolder(`${userDir}/steps`, step, async () => 'own' as const)
  const { raw, source, approval } = (await found) ?? (await throwNoContract(asked, userDir))
  const contract = parseContract(filledIn(raw, { step, story }), source)
  if (runsCommands(contract) && !mayWiden(approval))
    throw notTrusted(source, 'its checks run commands', approval)
  return { contract, source }
}

/** A state file changes with every step, so it cannot be approved: its checks may only read. */
function inStateFile({ step, stateFile }: StepAsked): Found | undefined {
  if (stateFile === undefined) return undefined
  const read = readYaml(dirname(stateFile), stateFile.slice(dirname(stateFile).length + 1), stateFile)
  if (read === undefined)
    throw new HoldfastError('VERIFY_INVALID', `${printable(stateFile, 200)} does not exist.`)
  const raw = ['workflow', 'steps', step, 'verify'].reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? at[name as never] : undefined,
    read.content,
  )
  return raw === undefined ? undefined : { raw, source: stateFile, approval: 'new' }
}

const inProject = ({ project, step }: StepAsked, userDir: string) =>
  inFolder(`${project}/.holdfast/steps`, step, fileTrust(userDir).approval)

async function inFolder(
  folder: string,
  step: string,
  approvalOf: (file: string, sha256: string) => Promise<Approval>,
): Promise<Found | undefined> {
  const file = `${folder}/${step}.yaml`
  const read = readYaml(folder, `${step}.yaml`, file)
  return read && { raw: read.content, source: file, approval: await approvalOf(file, read.sha256) }
}

async function throwNoContract({ step, project, stateFile }: StepAsked, userDir: string): Promise<never> {
  const places = [
    ...(stateFile === undefined ? [] : [`workflow.steps.${step}.verify of ${stateFile}`]),
    `${project}/.holdfast/steps/${step}.yaml`,
    `${userDir}/steps/${step}.yaml`,
  ]
  throw new HoldfastError(
    'STEP_NOT_FOUND',
    `Step '${step}' has no contract: looked for ${places.join(', ')}.`,
  )
}

/** Replaces `{step}` and `{story}` in every text. They are names: they have neither `/` nor blanks. */
function filledIn(raw: unknown, names: Readonly<Record<'step' | 'story', string>>): unknown {
  if (typeof raw === 'string')
    return raw.replace(/\{(step|story)\}/g, (_, name: 'step' | 'story') => names[name])
  if (Array.isArray(raw)) return raw.map((one) => filledIn(one, names))
  if (typeof raw !== 'object' || raw === null) return raw
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, filledIn(value, names)]))
}

/** Undefined when there is no such file. A Markdown file's YAML is its front matter. */
function readYaml(
  folder: string,
  name: string,
  file: string,
): { content: unknown; sha256: string } | undefined {
  const refuse = (why: string) => new HoldfastError('VERIFY_INVALID', `${printable(file, 200)}: ${why}.`)
  try {
    const text = withFileBelow(folder, name, (open) => textOf(open, LARGEST_BYTES))
    const yaml = /\.(md|markdown)$/i.test(name) ? (frontMatter(text) ?? '') : text
    const read = () => {
      checkYamlDepth(yaml)
      return parse(yaml) as unknown
    }
    return { content: withinTime(LONGEST_PARSE_MS, read), sha256: contentHash(text) }
  } catch (error) {
    if (error instanceof NotAFile && error.message === 'does not exist') return undefined
    if (error instanceof NotAFile) throw refuse(error.message)
    if (error instanceof TookTooLong) throw refuse('takes too long to be read')
    throw refuse(`not valid YAML: ${printable(firstLine(messageOf(error)), 200)}`)
  }
}

/** The project's steps that run commands: a person has to approve them. */
export async function stepsToApprove(userDir: string, project: string): Promise<Claim[]> {
  const folder = `${project}/.holdfast/steps`
  const names = await readdir(folder).catch((error) => {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  })
  const steps = names.flatMap((name) => (name.endsWith('.yaml') && isName(name) ? [name.slice(0, -5)] : []))
  const claims = await Promise.all(steps.sort().map((step) => claimOf(folder, step, userDir)))
  return claims.filter((claim) => claim !== undefined)
}

/** Undefined when the file runs no commands, or cannot be read: then there is nothing to approve. */
async function claimOf(folder: string, step: string, userDir: string): Promise<Claim | undefined> {
  const file = `${folder}/${step}.yaml`
  try {
    const read = readYaml(folder, `${step}.yaml`, file)
    const contract: VerifyContract = parseContract(filledIn(read?.content, { step, story: 'story' }), file)
    if (read === undefined || !runsCommands(contract)) return undefined
    const approval = await fileTrust(userDir).approval(file, read.sha256)
    return { file, sha256: read.sha256, approval, allows: commandLines(parseContract(read.content, file)) }
  } catch {
    return undefined
  }
}
