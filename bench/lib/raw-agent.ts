// A real agent as its user starts it, in a tmux of its own: text is pasted, Enter follows at once, and nobody looks.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentKind, agentEnvironment, furnish } from '../../test/real-agents/agent-home.ts'
import type { ModelServer } from '../../test/real-agents/model-server.ts'
import type { Home } from './home.ts'
import { until } from './until.ts'

/** What stands on the screen when it takes keys; Pi shows it a moment before that. */
const READY: Readonly<Record<AgentKind, string>> = {
  claude: 'mode on',
  codex: 'Ask Codex to do anything',
  opencode: 'Ask anything',
  pi: 'lab-model',
}

/** Waits for the model to be asked with this in what the user said. Requests without tools are for titles and the like. */
export function untilAsked({ requests }: ModelServer, words: string, since: number): Promise<unknown> {
  const isAsked = () =>
    requests
      .slice(since)
      .filter(({ tools }) => tools.length > 0)
      .some(({ turns }) => turns.some(({ role, text }) => role === 'user' && text.includes(words)))
  return until(`the model to be asked with ${words}`, isAsked, { everyMs: 1 })
}

export async function startRawAgent(kind: AgentKind, model: ModelServer, { root }: Home) {
  const place = join(root, `raw-${kind}`)
  const own = { home: join(place, 'home'), project: join(place, 'project'), url: model.url }
  for (const dir of [own.project, join(own.home, 'tmp')]) mkdirSync(dir, { recursive: true })
  furnish(own)
  const env = agentEnvironment(kind, own)
  const tmux = (...args: string[]) =>
    String(execFileSync('tmux', ['-S', join(place, 'tmux.sock'), '-f', '/dev/null', ...args], { env }))
  const started = ['new-session', '-d', '-s', 'raw', '-x', '200', '-y', '50', '-c', own.project]
  tmux(...started, 'env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), kind)
  const screen = () => tmux('capture-pane', '-p', '-t', 'raw')
  const withScreen = (error: Error) => {
    throw new Error(`${error.message}:\n${screen()}`)
  }
  const untilShown = (text: string) =>
    until(`${kind} to show "${text}"`, () => screen().includes(text), { everyMs: 50 }).catch(withScreen)
  await untilShown(READY[kind])
  await until(`${kind} to come to rest`, standsStill(screen), { everyMs: 50 }).catch(withScreen)
  return {
    /** How long until its model is asked. Its turn is over when this returns. */
    async say(id: string): Promise<number> {
      const text = `[BRIDGE_TRIGGER id=${id}]\nDO:ack\n[/BRIDGE_TRIGGER]`
      const before = model.requests.length
      const from = performance.now()
      tmux('set-buffer', '-b', 'raw', text, ';', 'paste-buffer', '-p', '-b', 'raw', '-t', 'raw')
      tmux('send-keys', '-t', 'raw', 'Enter')
      await untilAsked(model, `id=${id}]`, before).catch(withScreen)
      const took = performance.now() - from
      await untilShown(`ACK_TRIGGER:${id}`)
      return took
    },
    end: () => tmux('kill-server'),
  }
}

const STANDS_MS = 1500

function standsStill(look: () => string): () => boolean {
  let [last, since] = ['', performance.now()]
  return () => {
    const now = look()
    if (now !== last) [last, since] = [now, performance.now()]
    return performance.now() - since >= STANDS_MS
  }
}
