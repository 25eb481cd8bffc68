// Talks with a real Codex as the daemon does: lines in, its own words as proof.
import { mkdtempSync, rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { codexDriver } from '../../src/agents/codex/driver.ts'
import type { AgentSays } from '../../src/ports/run/agent-driver.ts'
import type { Running } from './lab.ts'

type Saying<K extends AgentSays['kind']> = Extract<AgentSays, { kind: K }>
const lines = codexDriver.lines!

export const of = <K extends AgentSays['kind']>({ says }: Pick<Running, 'says'>, kind: K) =>
  says.filter((one): one is Saying<K> => one.kind === kind)

export async function sessionOf(running: Running): Promise<string> {
  await running.until('its session', ({ kind }) => kind === 'session')
  return of(running, 'session')[0]!.id
}

/** Resolves when it was heard. */
export async function say(running: Running, ref: string, text: string): Promise<void> {
  running.tell(lines.prompt({ ref, text, session: await sessionOf(running) }))
  await running.until('its having heard', (said) => said.kind === 'heard' && said.ref === ref)
}

/** How its nth turn ended. */
export async function turn(running: Running, count = 1): Promise<Saying<'finished'>> {
  await running.until(`the end of turn ${count}`, () => of(running, 'finished').length >= count)
  return of(running, 'finished')[count - 1]!
}

export async function asked(running: Running, count = 1): Promise<Saying<'asked'>> {
  await running.until(`question ${count}`, () => of(running, 'asked').length >= count)
  return of(running, 'asked')[count - 1]!
}

/** With the number of an option, or a text of one's own. */
export function answer(
  running: Running,
  { question, options, ref = '' }: Saying<'asked'>,
  choice: number | string,
) {
  const given =
    typeof choice === 'number' ? { option: choice, text: options[choice]! } : { option: null, text: choice }
  running.tell(lines.answer({ question, options, ref }, given))
}

/** A command that the model wants to run outside of the sandbox. */
export const unboxed = (cmd: string) =>
  `DO:tool{exec_command|${JSON.stringify({ cmd, sandbox_permissions: 'require_escalated', justification: 'May I?' })}}`

/** A directory that a sandboxed command cannot write to. */
export function outside(): string {
  const dir = mkdtempSync('/var/tmp/hf-codex-')
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
