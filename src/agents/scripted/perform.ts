// Owns what each step does.
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pause, spin, untilEnded } from './pause.ts'
import type { Ending, Stage } from './stage.ts'
import type { Step, StepName, StepOf } from './step-table.ts'
import { leaveToolRunning, useTool } from './tools.ts'
import { waitForFile } from './wait-for-file.ts'

const FLOOD_PIECE = 1000

type Performers = {
  readonly [Name in StepName]: (step: StepOf<Name>, stage: Stage) => Ending | undefined | Promise<void> | void
}

/** Resolves with an ending when the turn is over, with nothing when the next step follows. */
export async function perform(step: Step, stage: Stage): Promise<Ending | undefined> {
  const performer = performers[step.do] as (step: Step, stage: Stage) => ReturnType<Performers[StepName]>
  return (await performer(step, stage)) ?? undefined
}

const performers: Performers = {
  say: ({ text }, stage) => stage.emit({ type: 'say', text }),
  write: ({ path, text }) => writeFileSync(withDirectory(path), `${text}\n`),
  append: ({ path, text }) => appendFileSync(withDirectory(path), `${text}\n`),
  result: ({ text }) => writeResult(text),
  tool: ({ seconds, name }, stage) => useTool(name, `${seconds} s`, ['sleep', String(seconds)], stage),
  'tool-detached': ({ seconds }, stage) => leaveToolRunning(seconds, stage),
  run: ({ program, args }, stage) => useTool(program, args.join(' '), [program, ...args], stage),
  wait: ({ seconds }, { signal }) => pause(seconds, signal),
  'wait-for': ({ path }, { signal }) => waitForFile(resolve(path), signal),
  ask: async ({ question, options }, stage) =>
    stage.emit({ type: 'answer', answer: await stage.ask(question, options) }),
  limit: ({ seconds }, stage) => {
    const until = Date.now() + Math.round(seconds * 1000)
    const message = `Usage limit reached. It resets at ${new Date(until).toISOString()}.`
    stage.emit({ type: 'limit', message, until })
    return { kind: 'result', ok: false, text: message }
  },
  crash: ({ code, signal }) => (signal === null ? { kind: 'exit', code } : { kind: 'killed', signal }),
  fail: ({ text }) => ({ kind: 'result', ok: false, text }),
  'silent-exit': () => ({ kind: 'exit', code: 0 }),
  hang: (_, { signal }) => untilEnded(signal),
  'ignore-term': () => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.removeAllListeners(signal).on(signal, () => {})
  },
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
