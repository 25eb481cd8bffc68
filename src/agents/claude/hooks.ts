// Owns what the lines of Claude Code's hooks mean, for a run in a terminal: each line is what one hook was given on stdin.
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import { asDetail, type Fields, isText, MOST_NAME, MOST_TEXT, short } from '../shared/json-line.ts'
import { limitedBy } from '../shared/limited.ts'
import { questionAbout } from './asking.ts'
import { claudeFailure } from './failure.ts'
import { blocked, listIn, note, type Reader, refusedTool, resultOf, toolBegan, toolEnded } from './says.ts'

const hooks = new Map<unknown, Reader>([
  [
    'SessionStart',
    ({ session_id: id }) => (isText(id) ? [{ kind: 'session', id: short(id, MOST_NAME) }] : undefined),
  ],
  [
    'UserPromptSubmit',
    ({ prompt }) =>
      isText(prompt) ? [{ kind: 'heard', ref: null, text: short(prompt, MOST_TEXT) }] : undefined,
  ],
  ['PreToolUse', ({ tool_name, tool_input }) => ofTool(tool_name, (tool) => [toolBegan(tool, tool_input)])],
  // The question itself is read from the screen: only there are its options.
  [
    'PermissionRequest',
    ({ tool_name, tool_input }) =>
      ofTool(tool_name, (tool) => [note(`asks: ${questionAbout(tool, tool_input)}`)]),
  ],
  ['PostToolUse', (hook) => ofTool(hook.tool_name, (tool) => [toolEnded(tool, true, hook.tool_response)])],
  ['PostToolUseFailure', (hook) => ofTool(hook.tool_name, (tool) => [toolEnded(tool, false, hook.error)])],
  ['PostToolBatch', readBatch],
  ['Stop', (hook) => [{ kind: 'finished', ok: true, text: lastWords(hook) }]],
  ['StopFailure', readFailure],
  ['SessionEnd', ({ reason }) => [note(`the session ended: ${asDetail(reason)}`)]],
])

/** The hooks that a run in a terminal installs. Esc, and a No to a request, end a turn without any of them. */
export const claudeHooks = [...hooks.keys()] as readonly string[]

export const readClaudeHook: Reader = (hook) => hooks.get(hook.hook_event_name)?.(hook)

const ofTool = (tool: unknown, says: (tool: string) => AgentSays[]) => (isText(tool) ? says(tool) : undefined)

/** After a tool that was blocked no other hook runs: its result appears only here. */
function readBatch({ tool_calls }: Fields): AgentSays[] {
  return listIn(tool_calls).flatMap(({ tool_response }) => {
    const why = resultOf(tool_response)
    const tool = refusedTool(why)
    return tool === undefined ? [] : [toolEnded(tool, false, why), blocked(tool, why)]
  })
}

function readFailure(hook: Fields): AgentSays[] {
  const text = lastWords(hook) || asDetail(hook.error)
  const failure = hook.error === 'rate_limit' ? 'limit' : claudeFailure(text)
  const limited = failure === 'limit' ? [limitedBy(text)] : []
  return [...limited, { kind: 'finished', ok: false, text, failure }]
}

const lastWords = ({ last_assistant_message: words }: Fields) =>
  isText(words) ? short(words, MOST_TEXT) : ''
