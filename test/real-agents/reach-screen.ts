// Leads a real agent CLI, in a real tmux, to one screen.
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { startTerminal } from '../helpers/tmux-server.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { anybodysScreen, type Screen } from './anybodys-screen.ts'
import { Lab } from './lab.ts'
import type { Cast, Scenario, Step } from './scenarios/scenario.ts'
import { withoutMotion } from './screen-fixture.ts'

const PATIENCE_MS = 90_000
const BETWEEN_LOOKS_MS = 400
const PANE = 'screen'

/** Starts when the pane has its size, with a title of nobody's, and leaves a person's shell behind. */
const SHELL = String.raw`until [ "$(stty size)" = "$1" ]; do sleep 0.05; done; shift
printf '\033]2;\033\\'; "$@"; PS1='SHELL$ ' exec sh`

export async function reachScreen(cast: Cast, scenario: Scenario, signal: AbortSignal): Promise<Screen> {
  const { lab, root } = await openLab()
  const pane = await openPane(lab, cast, scenario, signal)
  for (const step of [{ see: cast.ready }, ...scenario.steps]) await take(step, pane)
  return anybodysScreen(await settled(pane, scenario.steps.at(-1)), root)
}

/** Its directory has a name as long as the one that takes its place. */
async function openLab() {
  const lab = new Lab()
  const root = `/tmp/h${randomBytes(2).toString('hex')}`
  mkdirSync(root, { mode: 0o700 })
  onTestFinished(() => lab.close())
  await lab.open(root)
  return { lab, root }
}

type Pane = {
  readonly look: () => Promise<Screen>
  readonly paste: (text: string) => Promise<unknown>
  readonly press: (keys: readonly string[]) => Promise<unknown>
}

async function openPane(lab: Lab, cast: Cast, scenario: Scenario, signal: AbortSignal): Promise<Pane> {
  const [columns, rows] = scenario.wide ? [200, 50] : [80, 24]
  const { mark, argv } = await startOf(lab, cast, scenario, `${rows} ${columns}`)
  const { terminal, tmux } = await startTerminal()
  await terminal.open({ task: PANE, mark, argv, cwd: lab.project })
  tmux('resize-window', '-t', `=${terminal.sessionName(PANE)}:`, '-x', `${columns}`, '-y', `${rows}`)
  let tags = 0
  return {
    look: async () => {
      signal.throwIfAborted()
      const { text, title, cursor } = (await terminal.look(PANE, mark))!
      return { text: text + '\n'.repeat(rows - text.split('\n').length + 1), title, cursor }
    },
    paste: (text) => terminal.paste(PANE, mark, `step-${++tags}`, text),
    press: (keys) => terminal.press(PANE, mark, `step-${++tags}`, keys),
  }
}

/** What it starts is ended with the lab. */
async function startOf(lab: Lab, { kind, argv }: Cast, { args = [], env = {} }: Scenario, size: string) {
  const program = ['sh', '-c', SHELL, 'sh', size, ...(await argv()), ...args]
  const plan = { argv: program, env, stdin: '', files: [], sessionId: null }
  const prepared = lab.prepare({ kind, launch: () => plan, readEvent: () => [] }, lab.request())
  const entries = Object.entries(prepared.env).map(([name, value]) => `${name}=${value}`)
  return { mark: prepared.env.HOLDFAST_RUN!, argv: ['env', '-i', ...entries, ...program] }
}

async function take(step: Step, { look, paste, press }: Pane): Promise<unknown> {
  if ('paste' in step) return paste(step.paste)
  if ('press' in step) return press(step.press)
  let last = ''
  const sees = async () => {
    const screen = await look()
    last = screen.text
    return shows(screen, step)
  }
  return waitFor(`${step.see}`, sees, PATIENCE_MS).catch((error) => {
    throw new Error(`${error.message}\n${last.trimEnd()}`)
  })
}

const shows = ({ title, text }: Screen, step: Step | undefined) =>
  step !== undefined && 'see' in step && step.see.test(`${title}\n${text}`)

/** Two looks in a row that differ in nothing but what always moves, and still show what was waited for. */
async function settled({ look }: Pane, end: Step | undefined): Promise<Screen> {
  let before = await look()
  const stands = async () => {
    await sleep(BETWEEN_LOOKS_MS)
    const now = await look()
    const still = withoutMotion(before) === withoutMotion(now)
    before = now
    return still && shows(now, end) && now
  }
  return waitFor('a screen that stands still', stands, PATIENCE_MS)
}
