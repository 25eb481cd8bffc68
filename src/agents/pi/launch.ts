// Owns how Pi starts: for one prompt, for a conversation by lines, or in a terminal.
import { dirname } from 'node:path'
import type { LaunchPlan, LaunchRequest } from '../../ports/run/agent-driver.ts'
import { fieldsOf } from '../shared/json-line.ts'
import { piExtension } from './extension.ts'
import { piOpening } from './lines.ts'

/**
 * `read` takes away every other tool, also those of extensions. `full` is what Pi does anyway, so it adds no flag:
 * `defaultTools` in the user's settings, and blocks by the user's extensions, apply to it as to `default`.
 */
const READING_TOOLS = 'read,grep,find,ls'

/** Passed as a file, because Pi takes a text that is the name of a file for that file. It replaces an APPEND_SYSTEM.md. */
const PERSONA_FILE = 'persona.md'
const EXTENSION_FILE = 'holdfast.js'

export function launchPi(request: LaunchRequest): LaunchPlan {
  const { model, persona, permission, resume, sessionId, filesDir } = request
  const { flags, stdin } = wayOf(request)
  return {
    argv: [
      ...['pi', ...flags, '--extension', `${filesDir}/${EXTENSION_FILE}`],
      // `--session-id` would start a new conversation, without an error, when the old one is not found.
      ...(resume === null ? ['--session-id', sessionId] : ['--session', resume]),
      ...(model === null ? [] : ['--model', model]),
      ...(persona === null ? [] : ['--append-system-prompt', `${filesDir}/${PERSONA_FILE}`]),
      ...(permission === 'read' ? ['--tools', READING_TOOLS] : []),
    ],
    env: {},
    stdin,
    files: [
      { name: EXTENSION_FILE, content: extensionFor(request) },
      ...(persona === null ? [] : [{ name: PERSONA_FILE, content: persona }]),
    ],
    sessionId: resume ?? sessionId,
  }
}

function wayOf(request: LaunchRequest): { readonly flags: readonly string[]; readonly stdin: string } {
  if (request.mode === 'interactive')
    return { flags: isTrustDecided(request) ? [] : ['--no-approve'], stdin: '' }
  if (request.converse) return { flags: ['--mode', 'rpc'], stdin: piOpening() }
  return { flags: ['-p', '--mode', 'json'], stdin: request.prompt }
}

const extensionFor = ({ mode, eventsFile, inputFile }: LaunchRequest) =>
  piExtension({ eventsFile, inputFile: mode === 'interactive' ? inputFile : null })

/**
 * In a terminal, Pi would ask whether to trust a project with its own extensions or settings. When nobody has decided yet,
 * they are not loaded, as in its other modes.
 */
function isTrustDecided({ dir, env, peek }: LaunchRequest): boolean {
  const home = env.PI_CODING_AGENT_DIR || `${env.HOME ?? ''}/.pi/agent`
  const { defaultProjectTrust = 'ask' } = fieldsOf(peek(`${home}/settings.json`) ?? '')
  const decisions = fieldsOf(peek(`${home}/trust.json`) ?? '')
  return defaultProjectTrust !== 'ask' || withParents(dir).some((one) => typeof decisions[one] === 'boolean')
}

function withParents(dir: string): string[] {
  const parent = dirname(dir)
  return parent === dir ? [dir] : [dir, ...withParents(parent)]
}
