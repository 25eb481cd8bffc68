// Owns the settings of Claude Code for a run in a terminal: hooks that report what happens, and a clock in the statusline.
// They count for this run only: the user's settings files are read, never written, and the user's own hooks run as well.
import type { LaunchPlan, LaunchRequest } from '../../ports/run/agent-driver.ts'
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
  // Only the user's settings count here: a project must not choose how often the user is asked.
  const hasMode = asFields(own.permissions).defaultMode !== undefined
  const hasClock = [own, ...ofProject].some(({ statusLine }) => statusLine !== undefined)
  return {
    argv: [
      `--settings=${filesDir}/${SETTINGS_FILE}`,
      // Without this, and without a mode in the user's settings, it would start in a mode that approves by itself.
      ...(permission === 'default' && !hasMode ? ['--permission-mode=manual'] : []),
    ],
    // As in print mode, it does not ask whether the folder is trusted. Rules of a project that the user
    // never trusted still allow nothing.
    env: { CLAUDE_CODE_SANDBOXED: '1' },
    files: [
      { name: SETTINGS_FILE, content: JSON.stringify(settings(request, !hasClock)) },
      { name: HOOK_FILE, content: hookScript(request) },
      { name: CLOCK_FILE, content: CLOCK_SCRIPT },
    ],
  }
}

/** The user's settings, then the project's. Managed settings are left out: they win anyway. */
function settingsInForce({ dir, env, peek }: LaunchRequest): Fields[] {
  const files = [
    `${claudeHome(env)}/settings.json`,
    `${dir}/.claude/settings.json`,
    `${dir}/.claude/settings.local.json`,
  ]
  return files.map((file) => fieldsOf(peek(file) ?? ''))
}

function settings({ filesDir, permission }: LaunchRequest, withClock: boolean) {
  // `|| :`, because a missing script would count as a hook that blocks.
  const script = (name: string) => ({ type: 'command', command: `sh ${quoted(`${filesDir}/${name}`)} || :` })
  return {
    hooks: Object.fromEntries(claudeHooks.map((hook) => [hook, [{ hooks: [script(HOOK_FILE)] }]])),
    ...(withClock ? { statusLine: { ...script(CLOCK_FILE), refreshInterval: CLOCK_SECONDS } } : {}),
    // A person who asked for `full` has already answered that question.
    ...(permission === 'full' ? { skipDangerousModePermissionPrompt: true } : {}),
  }
}

/** Hooks may run at the same time, so a line is written at once or not at all. Errors must not stop the agent. */
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
