// Owns the steps a script may have: what each takes and means, and how its arguments are read.
// docs/scripted-agent.md shows this table, and a test compares them.

/** Longer waits would overflow Node's timers. */
const MOST_SECONDS = 1_000_000
const MOST_BYTES = 1_000_000_000
/** Signals that end a Node process whatever it is doing. */
const DEADLY = ['HUP', 'INT', 'QUIT', 'ILL', 'ABRT', 'BUS', 'FPE', 'KILL', 'SEGV', 'TERM']

/** The failure classes of Holdfast. */
const FAILURES = ['permanent', 'transient', 'environment', 'limit', 'crash'] as const
export type Failure = (typeof FAILURES)[number]

const text = (rest: string) => (rest === '' ? undefined : { text: rest })
const path = (rest: string) => (rest === '' ? undefined : { path: rest })
const nothing = (rest: string) => (rest === '' ? {} : undefined)

export const stepTable = {
  say: step('TEXT', 'says TEXT', text),
  write: step(
    'PATH TEXT',
    'a tool that writes the line TEXT into the file, making its directories',
    pathAndText,
  ),
  append: step(
    'PATH TEXT',
    'a tool that appends the line TEXT to the file, making its directories',
    pathAndText,
  ),
  result: step('JSON', 'writes JSON, as it is, to `$HOLDFAST_SESSION_DIR/result.json`, atomically', text),
  tool: step('SECONDS [NAME]', 'a child process that takes that long, shown as tool NAME', secondsAndName),
  'tool-detached': step(
    'SECONDS',
    'a child in its own session, left running while the script goes on',
    seconds,
  ),
  run: step('ARGV…', 'runs a program without a shell; quotes keep words together', argv),
  wait: step('SECONDS', 'waits', seconds),
  'wait-for': step('PATH', 'waits until the file exists', path),
  ask: step('QUESTION | OPTION | …', 'asks, and goes on with the answer', questionAndOptions),
  limit: step('SECONDS', 'hits a usage limit, every time until it is over after SECONDS; exit 1', seconds),
  'limit-until': step(
    'PATH SECONDS',
    'hits a usage limit, every time until the file exists; each time it promises the end after SECONDS',
    pathAndSeconds,
  ),
  crash: step(
    'CODE or SIGNAL',
    'ends at once with that exit code or by that signal, without a result',
    codeOrSignal,
  ),
  'crash-lives': step(
    'N CODE or SIGNAL',
    'crashes so in the first N lives of its session, and then goes on',
    livesAndCrash,
  ),
  fail: step('TEXT', 'ends with a result that says it failed; exit 1', text),
  'fail-as': step('CLASS TEXT', `fails, and tells why: ${FAILURES.join(', ')}`, classAndText),
  'fail-until': step('PATH CLASS TEXT', 'fails so, every time until the file exists', pathClassAndText),
  'silent-exit': step('', 'ends with exit 0 and no result', nothing),
  hang: step('', 'does nothing until it is ended; in a terminal, spinner and clock move', nothing),
  freeze: step('', 'does nothing until it is ended, and in a terminal nothing moves', nothing),
  think: step('SECONDS', 'thinks aloud, once a second', seconds),
  forget: step('', 'deletes its session: nobody can resume it', nothing),
  'ignore-term': step('', 'this process ignores SIGTERM and SIGINT from here on', nothing),
  'heed-int': step('', 'from here on SIGINT makes it say that it was interrupted; exit 0', nothing),
  'heed-hup': step('', 'from here on it leaves in order when its terminal goes away; exit 0', nothing),
  'ignore-hup': step('', 'from here on it lives on when its terminal goes away', nothing),
  spin: step('SECONDS', 'keeps a CPU busy', seconds),
  flood: step('BYTES', 'says that many bytes, 1000 at a time', bytes),
  garbage: step('', 'prints a line that is not JSON and one that is not UTF-8', nothing),
  usage: step('IN OUT COST', 'reports tokens in, tokens out and US dollars', usage),
  env: step('NAME', 'says NAME=value from its environment', envName),
  finish: step('TEXT', 'ends with TEXT as its final message; exit 0', text),
  script: step('FILE', 'the steps in FILE: one per line without `do:`, `#` begins a comment', path),
}

export type StepName = keyof typeof stepTable
type ArgumentsOf<Name extends StepName> = NonNullable<ReturnType<(typeof stepTable)[Name]['read']>>
export type StepOf<Name extends StepName> = { readonly do: Name } & Readonly<ArgumentsOf<Name>>
export type Step = { [Name in StepName]: StepOf<Name> }[StepName]

/** `read` returns undefined for arguments that do not fit the step. */
function step<Arguments extends object>(
  takes: string,
  meaning: string,
  read: (rest: string) => Arguments | undefined,
) {
  return { takes, meaning, read }
}

function pathAndText(rest: string) {
  const [, path, text] = /^(\S+)\s(.*)$/s.exec(rest) ?? []
  return path === undefined || text === undefined ? undefined : { path, text }
}

function seconds(rest: string) {
  const seconds = numberUpTo(MOST_SECONDS, rest)
  return seconds === undefined ? undefined : { seconds }
}

function pathAndSeconds(rest: string) {
  const { path, text = '' } = pathAndText(rest) ?? {}
  const time = seconds(text.trim())
  return path === undefined ? undefined : time && { path, ...time }
}

function livesAndCrash(rest: string) {
  const [, lives, how = ''] = /^(\d{1,6})\s+(\S+)$/.exec(rest) ?? []
  const crash = codeOrSignal(how)
  return crash && { lives: Number(lives), ...crash }
}

function classAndText(rest: string) {
  const [, name, text] = /^(\S+)\s+(\S.*)$/s.exec(rest) ?? []
  const failure = FAILURES.find((known) => known === name)
  return failure === undefined || text === undefined ? undefined : { failure, text }
}

function pathClassAndText(rest: string) {
  const { path, text = '' } = pathAndText(rest) ?? {}
  const failure = classAndText(text)
  return path === undefined ? undefined : failure && { path, ...failure }
}

function secondsAndName(rest: string) {
  const [, first = '', name] = /^(\S+)(?:\s+(\S.*))?$/s.exec(rest) ?? []
  const time = seconds(first)
  return time && { ...time, name: name ?? 'sleep' }
}

function argv(rest: string) {
  const words = Array.from(rest.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, a, b, c]) => a ?? b ?? c ?? '')
  const [program, ...args] = words
  return program ? { program, args } : undefined
}

function questionAndOptions(rest: string) {
  const [question = '', ...options] = rest.split('|').map((part) => part.trim())
  return question === '' ? undefined : { question, options: options.filter((option) => option !== '') }
}

function codeOrSignal(rest: string) {
  const name = rest.toUpperCase().replace(/^SIG/, '')
  if (DEADLY.includes(name)) return { code: null, signal: `SIG${name}` as NodeJS.Signals }
  return /^\d{1,3}$/.test(rest) && Number(rest) <= 255 ? { code: Number(rest), signal: null } : undefined
}

function bytes(rest: string) {
  return /^\d+$/.test(rest) && Number(rest) <= MOST_BYTES ? { bytes: Number(rest) } : undefined
}

function usage(rest: string) {
  const [tokensIn, tokensOut, costUsd, ...more] = rest.split(/\s+/)
  if (![tokensIn, tokensOut].every((count) => /^\d{1,15}$/.test(count ?? ''))) return undefined
  const cost = numberUpTo(Number.MAX_SAFE_INTEGER, costUsd ?? '')
  if (cost === undefined || more.length > 0) return undefined
  return { tokensIn: Number(tokensIn), tokensOut: Number(tokensOut), costUsd: cost }
}

function envName(rest: string) {
  return /^[A-Za-z_]\w*$/.test(rest) ? { name: rest } : undefined
}

function numberUpTo(most: number, text: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(text) && Number(text) <= most ? Number(text) : undefined
}
