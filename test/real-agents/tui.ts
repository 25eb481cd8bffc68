// One agent's interface in a real tmux: looked at, pasted into and answered as the daemon does it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { AgentDriver, AgentSays, Answer, LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import type { ScreenReading } from '../../src/ports/run/screen.ts'
import { startTerminal } from '../helpers/tmux-server.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { Lab } from './lab.ts'

/** OpenCode on a busy machine needs a minute to show itself. */
const PATIENCE_MS = 120_000
const STANDS_MS = 700
const NAME = 'tui'

export type Tui = Awaited<ReturnType<typeof startTui>>

export async function startTui(
  lab: Lab,
  driver: AgentDriver,
  overrides: Partial<LaunchRequest> = {},
  options: { readonly env?: Readonly<Record<string, string>> } = {},
) {
  const request = lab.request({ mode: 'interactive', ...overrides })
  const { plan, env } = lab.prepare(driver, request, options)
  for (const file of [request.eventsFile, request.inputFile]) writeFileSync(file, '', { mode: 0o600 })
  const { terminal } = await startTerminal()
  const mark = env.HOLDFAST_RUN!
  const entries = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  await terminal.open({ task: NAME, mark, argv: ['env', '-i', ...entries, ...plan.argv], cwd: request.dir })
  let tags = 0

  const view = async () => {
    const seen = await terminal.look(NAME, mark)
    if (!seen) throw new Error('the pane is gone')
    return seen
  }
  const read = async () => driver.readScreen(await view())
  const says = () => linesOf(request.eventsFile).flatMap(driver.readEvent)
  const press = (...keys: readonly string[]) => terminal.press(NAME, mark, `key-${++tags}`, keys)

  /** Waits for a reading that fits; fails with the screen. */
  async function until(what: string, fits: (reading: ScreenReading) => boolean): Promise<ScreenReading> {
    const look = async () => {
      const reading = await read()
      return fits(reading) && reading
    }
    return waitFor(what, look, PATIENCE_MS).catch(async (error) => {
      throw new Error(`${error.message}\n${(await view()).text}`)
    })
  }
  const phase = (wanted: ScreenReading['phase']) => until(wanted, ({ phase }) => phase === wanted)

  return {
    request,
    plan,
    env,
    view,
    read,
    says,
    press,
    until,
    phase,
    pid: async () => (await terminal.panes()).find((pane) => pane.mark === mark)?.pid ?? 0,
    /** Pastes when it is idle, and presses Enter when the text is in the box. */
    async prompt(text: string): Promise<void> {
      await until('an empty box', ({ phase, draft }) => phase === 'idle' && draft === null)
      await terminal.paste(NAME, mark, `text-${++tags}`, text)
      await until('the text in its box', ({ draft }) => draft !== null)
      await press('Enter')
    },
    /** Once, and not at the first sight of a dialog: what is pressed while it is being drawn is lost. */
    async choose(answer: Answer): Promise<void> {
      await stands(async () => JSON.stringify((await read()).question))
      const keys = driver.keys?.choose(await read(), answer)
      if (!keys) throw new Error('no keys for this answer')
      await press(...keys)
    },
    untilSaid: (what: string, fits: (said: AgentSays) => boolean) =>
      waitFor(what, () => says().find(fits), PATIENCE_MS),
    ended: () => waitFor('its end', async () => (await view()).dead, PATIENCE_MS),
  }
}

/** Waits until what is seen stays as it is. */
async function stands(look: () => Promise<string>): Promise<void> {
  let [last, since] = [await look(), performance.now()]
  await waitFor('a dialog that stands', async () => {
    const now = await look()
    if (now !== last) [last, since] = [now, performance.now()]
    return performance.now() - since > STANDS_MS
  })
}

const linesOf = (file: string) =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
