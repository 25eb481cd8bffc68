// What Claude Code gets beside its flags when it runs in a terminal: hooks that tell us what happens, and a clock.
// All of it belongs to this run: the user's settings files are read, never written, and their own hooks run as well.
import type { LaunchPlan, LaunchRequest } from '../../ports/agent-driver.ts'
import { asFields, type Fields, fieldsOf } from '../shared/json-line.ts'
import { claudeHooks } from './hooks.ts'
import { claudeHome } from './status.ts'

const SETTINGS_FILE = 'settings.json'
const HOOK_FILE = 'hook.sh'
const CLOCK_FILE = 'clock.sh'
const CLOCK_SECONDS = 5

export function terminalPart(request: LaunchRequest): Pick<LaunchPlan, 'argv' | 'env' | 'files'> {
  const { filesDir, permission } = request
  const [own = {}, ...ofProject] = settingsInForce(request)
  // A project must not choose how much is asked.
  const hasMode = asFields(own.permissions).defaultMode !== undefined
  const hasClock = [own, ...ofProject].some(({ statusLine }) => statusLine !== undefined)
  return {
    argv: [
      `--settings=${filesDir}/${SETTINGS_FILE}`,
      // Unless the user decided otherwise, it would begin in a mode that approves by itself.
      ...(permission === 'default' && !hasMode ? ['--permission-mode=manual'] : []),
    ],
    // No question whether the folder is trusted, as in print mode. Rules of a project that the user
    // never trusted still allow nothing.
    env: { CLAUDE_CODE_SANDBOXED: '1' },
    files: [
      { name: SETTINGS_FILE, content: JSON.stringify(settings(request, !hasClock)) },
      { name: HOOK_FILE, content: hookScript(request) },
      { name: CLOCK_FILE, content: CLOCK_SCRIPT },
    ],
  }
}

/** The user's, then the project's. The managed ones are not among them: they win anyway. */
function settingsInForce({ dir, env, peek }: LaunchRequest): Fields[] {
  const files = [
    `${claudeHome(env)}/settings.json`,
    `${dir}/.claude/settings.json`,
    `${dir}/.claude/settings.local.json`,
  ]
  return files.map((file) => fieldsOf(peek(file) ?? ''))
}

function settings({ filesDir, permission }: LaunchRequest, withClock: boolean) {
  // A script that is gone must not be taken for a hook that forbids.
  const script = (name: string) => ({ type: 'command', command: `sh ${quoted(`${filesDir}/${name}`)} || :` })
  return {
    hooks: Object.fromEntries(claudeHooks.map((hook) => [hook, [{ hooks: [script(HOOK_FILE)] }]])),
    ...(withClock ? { statusLine: { ...script(CLOCK_FILE), refreshInterval: CLOCK_SECONDS } } : {}),
    // Who asked for `full` has answered that question.
    ...(permission === 'full' ? { skipDangerousModePermissionPrompt: true } : {}),
  }
}

/** Hooks may run at the same time: a line is written at once or not at all. Whatever happens, the agent goes on. */
const hookScript = ({ eventsFile, filesDir }: LaunchRequest) =>
  `
exec 2>/dev/null
line=$(mktemp ${quoted(filesDir)}/hook.XXXXXX) || exit 0
cat >"$line" && { [ -z "$(tail -c 1 "$line")" ] || echo >>"$line"; } &&
  dd if="$line" bs=67108864 >>${quoted(eventsFile)}
rm -f "$line"
exit 0
`.trimStart()

/** Proof of life, also while the model thinks: `folder | ctx(7%) | 14:03:59`. */
const CLOCK_SCRIPT = `
used=$(sed -n 's/.*"used_percentage":\\([0-9]*\\)[^,]*,"remaining_percentage".*/\\1/p')
printf '%s | ctx(%s%%) | %s\\n' "\${PWD##*/}" "\${used:-0}" "$(date +%T)"
`.trimStart()

const quoted = (path: string) => `'${path.replaceAll("'", `'\\''`)}'`
