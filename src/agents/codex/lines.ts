// Owns the input lines of Codex as an app server: JSON-RPC, one message per line.
import { VERSION } from '../../domain/names/version.ts'
import type { LaunchRequest, Lines } from '../../ports/run/agent-driver.ts'
import { fieldsOf } from '../shared/json-line.ts'
import { type CodexQuestion, codexAnswer } from './asking.ts'
import { QUIET_NOTICES, THREAD_REQUEST } from './messages.ts'

export const codexLines: Lines = {
  /** A prompt must name its thread, which Codex reports after its start. Codex repeats the ref with the prompt. */
  prompt({ ref, text, session }) {
    if (session === null) return null
    const input = [{ type: 'text', text }]
    const params = { threadId: session, clientUserMessageId: ref, input }
    return lineOf({ id: ref, method: 'turn/start', params })
  },
  answer({ ref }, answer) {
    const question = fieldsOf(ref)
    if (!Array.isArray(question.results)) return null
    const messages = codexAnswer(question as CodexQuestion, answer)
    return messages.length === 0 ? null : messages.map(lineOf).join('')
  },
}

/** Starts a thread, or resumes one. Codex handles requests in order, so a prompt may follow at once. */
export function openingLines(request: LaunchRequest): string {
  const { dir, extraDirs, model, persona, permission, resume } = request
  const thread = {
    cwd: dir,
    ...(model === null ? {} : { model }),
    ...(persona === null ? {} : { developerInstructions: persona }),
    ...(extraDirs.length === 0 ? {} : { runtimeWorkspaceRoots: [dir, ...extraDirs] }),
    ...permissions[permission],
  }
  const begin =
    resume === null
      ? { id: THREAD_REQUEST, method: 'thread/start', params: thread }
      : {
          id: THREAD_REQUEST,
          method: 'thread/resume',
          params: { threadId: resume, excludeTurns: true, ...thread },
        }
  const capabilities = {
    // Extra directories are still part of Codex's experimental interface.
    experimentalApi: extraDirs.length > 0,
    optOutNotificationMethods: QUIET_NOTICES,
  }
  const clientInfo = { name: 'holdfast', title: 'Holdfast', version: VERSION }
  const hello = { id: 'initialize', method: 'initialize', params: { clientInfo, capabilities } }
  return [hello, { method: 'initialized' }, begin].map(lineOf).join('')
}

/** As `permissionArgs` in launch.ts, but Codex asks us where it may ask. */
const permissions = {
  default: {},
  read: { sandbox: 'read-only', approvalPolicy: 'never' },
  edit: { sandbox: 'workspace-write', approvalPolicy: 'on-request', approvalsReviewer: 'user' },
  full: { sandbox: 'danger-full-access', approvalPolicy: 'never' },
} as const

const lineOf = (message: object) => `${JSON.stringify(message)}\n`
