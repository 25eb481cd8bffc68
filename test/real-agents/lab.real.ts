import { expect, test } from 'vitest'
import type { LaunchRequest } from '../../src/ports/agent-driver.ts'
import { type Launcher, useLab } from './lab.ts'

const lab = useLab()

/** Started by hand-written arguments, so that a failure here is the lab's and not a driver's. */
const byHand: Record<string, readonly string[]> = {
  codex: ['codex', 'exec', '--json', '--skip-git-repo-check', '-'],
  claude: ['claude', '-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'],
  opencode: ['opencode', 'run', '--format', 'json'],
  pi: ['pi', '-p', '--mode', 'json'],
}
const agents = Object.keys(byHand)

const launcher = (kind: string): Launcher => ({
  kind,
  launch: ({ prompt }: LaunchRequest) => ({
    argv: byHand[kind] ?? [],
    env: {},
    stdin: prompt,
    files: [],
    sessionId: null,
  }),
  readEvent: (line) => [{ kind: 'said', text: line }],
})

test.each(agents)('%s says what the scripted model says, and talks to nobody else', async (kind) => {
  const { code, lines, stderr } = await lab.runPlan(
    launcher(kind),
    lab.request({ prompt: 'DO:text{four words by heart}' }),
  )
  expect.soft(stderr).toBe('')
  expect(lines.join('\n')).toContain('four words by heart')
  expect(code).toBe(0)
  expect(lab.strays()).toEqual([])
})
