import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { HoldfastError } from '../../../domain/errors.ts'
import { approvalText } from '../../../domain/settings/approval.ts'
import type { TrustFileJson } from '../../../protocol/json/project-json.ts'
import { ask, isYes } from '../../ask.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'
import { isPerson } from '../../wire/caller.ts'

type Given = InputOf<'trust'>

/** A person sees everything that a file would allow before it is approved. An agent may never approve. */
export async function trust({ args, options }: Given, context: Context): Promise<number> {
  if (!isPerson(context.env)) throw new HoldfastError('NOT_ALLOWED_FOR_RUN', 'A run may not approve files.')
  if (options.list && options.revoke) throw new HoldfastError('USAGE', 'Choose one of --list and --revoke.')
  const path = realPath(context.path(args.path))
  if (options.revoke && args.path !== undefined) return await revoke(path, context)
  const { project, files } = await claimsAt(path, context)
  if (options.revoke) return await revoke(project, context)
  if (options.list) return showFiles(project, files, context)
  const waiting = files.filter(({ approval }) => approval !== 'approved')
  if (waiting.length === 0) return showFiles(project, files, context)
  if (!context.json || !options.yes) for (const line of waiting.flatMap(describe)) context.say(line)
  if (!options.yes && !(await confirmed(waiting.length, context))) {
    context.say('Nothing was approved.')
    return 0
  }
  return await approve(project, waiting, context)
}

/** The paths of files that may need approval, in a project. */
const IN_PROJECT =
  /\/(\.holdfast\/(config|steps\/[^/]+)\.yaml|(\.holdfast\/)?agents\/[^/]+\/[^/]+-agent\.md)$/

/** The one file at `path`, or all files of the project that need approval. */
async function claimsAt(path: string, context: Context) {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
  const project = path.replace(IN_PROJECT, '')
  const query = { dir: isFile && project === path ? dirname(path) : project }
  const { files, ...answer } = await context.daemon().call('GET /api/trust', { query })
  return { ...answer, files: isFile ? files.filter(({ file }) => realPath(file) === path) : files }
}

/** Sends the hash of what was shown: a file that has changed since then is not approved. */
async function approve(
  project: string,
  waiting: readonly TrustFileJson[],
  context: Context,
): Promise<number> {
  const files = waiting.map(({ file, sha256 }) => ({ file, sha256 }))
  const answer = await context.daemon().call('POST /api/trust', { body: { dir: project, files } })
  context.show(answer, () => files.map(({ file }) => `Approved: ${oneLine(file)}`))
  return 0
}

async function revoke(path: string, context: Context): Promise<number> {
  const answer = await context.daemon().call('DELETE /api/trust', { query: { path } })
  const lines = answer.revoked.map((file) => `No longer approved: ${oneLine(file)}`)
  context.show(answer, () => (lines.length === 0 ? ['Nothing was approved there'] : lines))
  return 0
}

function showFiles(project: string, files: readonly TrustFileJson[], context: Context): number {
  context.show({ project, files }, () =>
    files.length === 0 ? [`Nothing in ${oneLine(project)} needs approval`] : files.flatMap(describe),
  )
  return 0
}

const describe = ({ file, approval, allows }: TrustFileJson): string[] => [
  `${oneLine(file)} (${approvalText(approval)})`,
  ...allows.map((line) => `  ${oneLine(line)}`),
]

async function confirmed(count: number, context: Context): Promise<boolean> {
  if (!context.canAsk())
    throw new HoldfastError(
      'CONFIRMATION_NEEDED',
      'Approving files needs a confirmation, and there is no terminal to ask you in.',
    )
  return isYes(await ask(`Approve ${count === 1 ? 'this file' : `these ${count} files`}? [y/N]: `))
}

/** The path as the daemon knows it. For a file that is gone, the path as it was given: it can still be revoked. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
