// Owns calling git in a repository that an agent may have prepared: no hook, filter, pager, monitor or helper that the
// repository configures is executed, nothing is fetched, and no lock is taken.
import { exec } from '../processes/exec.ts'

const LONGEST_MS = 10_000

/** An address that is no program: the empty value of these settings means none. */
const SAFE: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.attributesFile': '/dev/null',
  'core.pager': 'cat',
  'core.untrackedCache': 'false',
  'core.quotePath': 'false',
  'diff.external': '',
  'diff.ignoreSubmodules': 'all',
  'protocol.allow': 'never',
  'submodule.recurse': 'false',
}

/** What git said; undefined when it failed, or took too long. `ok`: exit codes that are no failure. */
export async function git(
  root: string,
  args: readonly string[],
  {
    ok = [0],
    mostBytes = 4 * 1024 * 1024,
  }: { readonly ok?: readonly number[]; readonly mostBytes?: number } = {},
): Promise<string | undefined> {
  const settings = { ...SAFE, ...(await withoutFilters(root)) }
  const { code, stdout } = await run(root, args, settings, mostBytes)
  return code !== null && ok.includes(code) ? stdout : undefined
}

/** Filters of the repository would run on every file that is compared: each is set to nothing. */
async function withoutFilters(root: string): Promise<Record<string, string>> {
  const asked = ['config', '--null', '--name-only', '--get-regexp', '^filter\\.']
  const { stdout } = await run(root, asked, SAFE, 64 * 1024)
  const drivers = stdout.split('\0').flatMap((key) => /^(filter\..+)\.[^.]+$/.exec(key)?.[1] ?? [])
  return Object.fromEntries(
    [...new Set(drivers)].flatMap((driver) => [
      [`${driver}.clean`, ''],
      [`${driver}.smudge`, ''],
      [`${driver}.process`, ''],
      [`${driver}.required`, 'false'],
    ]),
  )
}

function run(
  root: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  mostBytes: number,
) {
  const entries = Object.entries(settings)
  const asEnv = Object.fromEntries(
    entries.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  )
  return exec(['git', '--no-pager', '--literal-pathspecs', ...args], {
    cwd: root,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
      LC_ALL: 'C.UTF-8',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_CONFIG_COUNT: String(entries.length),
      ...asEnv,
    },
    timeoutMs: LONGEST_MS,
    mostBytes,
  })
}
