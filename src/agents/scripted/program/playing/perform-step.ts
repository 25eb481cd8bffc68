// Owns what each step does.
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Step, StepName, StepOf } from '../script/step-table.ts'
import { pause, spin, untilEnded } from './pause.ts'
import type { Session } from './session-file.ts'
import type { Ending, Stage } from './stage.ts'
import { leaveToolRunning, useTool } from './tools.ts'
import { waitForFile } from './wait-for-file.ts'

const FLOOD_PIECE = 1000

type StepActions = {
  readonly [Name in StepName]: (step: StepOf<Name>, stage: Stage, session: Session) => Outcome
}
type Outcome = Ending | undefined | Promise<void> | void

/** Resolves with an ending when the turn is over, with nothing when the next step follows. */
export async function performStep(step: Step, stage: Stage, session: Session): Promise<Ending | undefined> {
  const performer = stepActions[step.do] as (step: Step, stage: Stage, session: Session) => Outcome
  return (await performer(step, stage, session)) ?? undefined
}

const stepActions: StepActions = {
  say: ({ text }, stage) => stage.emit({ type: 'say', text }),
  write: ({ path, text }, stage) =>
    change('write', path, stage, () => writeFileSync(withDirectory(path), `${text}\n`)),
  append: ({ path, text }, stage) =>
    change('append', path, stage, () => appendFileSync(withDirectory(path), `${text}\n`)),
  result: ({ text }) => writeResult(text),
  tool: ({ seconds, name }, stage) => useTool(name, `${seconds} s`, ['sleep', String(seconds)], stage),
  'tool-detached': ({ seconds }, stage) => leaveToolRunning(seconds, stage),
  run: ({ program, args }, stage) => useTool(program, args.join(' '), [program, ...args], stage),
  wait: ({ seconds }, { signal }) => pause(seconds, signal),
  'wait-for': ({ path }, { signal }) => waitForFile(resolve(path), signal),
  ask: async ({ question, options }, stage) =>
    stage.emit({ type: 'answer', answer: await stage.ask(question, options) }),
  limit: ({ seconds }, stage, session) => {
    const until = session.limitEnd(seconds)
    return Date.now() < until ? limited(until, stage) : undefined
  },
  'limit-until': ({ path, seconds }, stage) =>
    existsSync(path) ? undefined : limited(Date.now() + Math.round(seconds * 1000), stage),
  crash,
  'crash-lives': ({ lives, ...how }, _, session) =>
    session.lives <= lives ? { ...crash(how), again: true } : undefined,
  fail: ({ text }) => ({ kind: 'result', ok: false, text }),
  'fail-as': ({ failure, text }) => ({ kind: 'result', ok: false, text, failure }),
  'fail-until': ({ path, failure, text }) =>
    existsSync(path) ? undefined : { kind: 'result', ok: false, text, failure, again: true },
  'silent-exit': () => ({ kind: 'exit', code: 0 }),
  hang: (_, { signal }) => untilEnded(signal),
  freeze: (_, stage) => {
    stage.freeze()
    return untilEnded(stage.signal)
  },
  think: async ({ seconds }, stage) => {
    for (let left = seconds; left > 0; left--) {
      stage.emit({ type: 'thought', text: `thinking, ${Math.ceil(left)} s more` })
      await pause(Math.min(1, left), stage.signal)
    }
  },
  forget: (_, __, session) => session.forget(),
  'ignore-term': () => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.removeAllListeners(signal).on(signal, () => {})
  },
  'heed-int': (_, stage, session) => {
    process.removeAllListeners('SIGINT').once('SIGINT', () => {
      stage.emit({ type: 'result', ok: false, text: 'Interrupted.', session_id: session.id })
      process.exit(0)
    })
  },
  'heed-hup': () => whenTerminalGoes(leaveInOrder),
  'ignore-hup': () => whenTerminalGoes(() => {}),
  spin: ({ seconds }, { signal }) => spin(seconds, signal),
  flood: ({ bytes }, stage) => {
    for (let left = bytes; left > 0; left -= FLOOD_PIECE)
      stage.emit({ type: 'say', text: 'x'.repeat(Math.min(left, FLOOD_PIECE)) })
  },
  garbage: (_, stage) => stage.garbage(),
  usage: ({ tokensIn, tokensOut, costUsd }, stage) =>
    stage.emit({ type: 'usage', tokens_in: tokensIn, tokens_out: tokensOut, cost_usd: costUsd }),
  env: ({ name }, stage) => {
    const value = process.env[name]
    stage.emit({ type: 'say', text: value === undefined ? `${name} is not set` : `${name}=${value}` })
  },
  finish: ({ text }) => ({ kind: 'result', ok: true, text }),
  script: ({ path }) => {
    throw new Error(`${path} could not be read when the prompt arrived, or a script file names another`)
  },
}

/** Replaces what happens when the terminal is closed: SIGHUP comes, and reading and writing fail. */
function whenTerminalGoes(act: () => void): void {
  process.removeAllListeners('SIGHUP').on('SIGHUP', act)
  for (const stream of [process.stdin, process.stdout])
    for (const event of ['end', 'error']) stream.removeAllListeners(event).on(event, act)
}

/** Node aborts when it cannot reset a terminal that is gone, so the descriptors are replaced first. */
function leaveInOrder(): never {
  for (const descriptor of [0, 1, 2]) {
    closeSync(descriptor)
    openSync('/dev/null', 'r+')
  }
  process.exit(0)
}

type Crash =
  | { readonly code: number; readonly signal: null }
  | { readonly code: null; readonly signal: NodeJS.Signals }

function crash({ code, signal }: Crash): Ending {
  return signal === null ? { kind: 'exit', code } : { kind: 'killed', signal }
}

function limited(until: number, stage: Stage): Ending {
  const text = `Usage limit reached. It resets at ${new Date(until).toISOString()}.`
  stage.emit({ type: 'limit', message: text, until })
  return { kind: 'result', ok: false, text, failure: 'limit', again: true }
}

/** Reports the edit before it is made, as agents do. */
function change(tool: string, file: string, stage: Stage, act: () => void): void {
  stage.emit({ type: 'tool_start', tool, detail: file, file })
  try {
    act()
  } catch (error) {
    stage.emit({ type: 'tool_end', tool, ok: false, detail: String(error) })
    throw error
  }
  stage.emit({ type: 'tool_end', tool, ok: true, detail: file })
}

function withDirectory(path: string): string {
  mkdirSync(dirname(resolve(path)), { recursive: true })
  return path
}

function writeResult(json: string): void {
  const directory = process.env.HOLDFAST_SESSION_DIR
  if (!directory) throw new Error('HOLDFAST_SESSION_DIR is not set')
  const temporary = join(directory, `.result.json.${process.pid}`)
  try {
    writeFileSync(temporary, `${json}\n`)
    renameSync(temporary, join(directory, 'result.json'))
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
