// What the docs show of tables in the code. `UPDATE_DOCS=1 npx vitest run test/docs` writes it into the pages.

import { realDrivers } from '../../src/agents/all.ts'
import { journalEvents } from '../../src/domain/journal/event-texts.ts'
import { AUDIT_KINDS } from '../../src/domain/names/audit-kinds.ts'
import { callerEnvironment, neverPassedOn } from '../../src/domain/run/caller-environment.ts'
import { runTransitions } from '../../src/domain/run/machine.ts'
import { runtimeTransitions } from '../../src/domain/runtime/machine.ts'
import { SETTING_KEYS, type SettingKey, settings, settingText } from '../../src/domain/settings/config.ts'
import type { Scope } from '../../src/domain/settings/is-narrower.ts'
import { presets } from '../../src/domain/settings/recovery-presets.ts'
import { finalStates } from '../../src/domain/task/final-state.ts'
import { taskTransitions } from '../../src/domain/task/machine.ts'
import { triggerTransitions } from '../../src/domain/trigger/machine.ts'
import { catalogue } from '../../src/metrics/catalogue.ts'
import type { Abilities } from '../../src/ports/run/agent-driver.ts'
import { recoveryRules } from '../../src/supervisor/recovering/recovery-rules.ts'

export type Generated = { readonly page: string; readonly name: string; readonly text: string }

export const generatedSections = (): Generated[] => [
  { page: 'docs/ARCHITECTURE.md', name: 'task-states', text: taskPicture() },
  { page: 'docs/ARCHITECTURE.md', name: 'run-states', text: runPicture() },
  { page: 'docs/ARCHITECTURE.md', name: 'trigger-states', text: triggerPicture() },
  { page: 'docs/ARCHITECTURE.md', name: 'runtime-states', text: runtimePicture() },
  { page: 'docs/config.md', name: 'settings', text: settingsTable() },
  { page: 'docs/config.md', name: 'environment', text: environmentTable() },
  { page: 'docs/json-output.md', name: 'final-states', text: finalStatesTable() },
  { page: 'docs/json-output.md', name: 'audit-kinds', text: auditKindsTable() },
  { page: 'docs/events.md', name: 'events', text: eventsTable() },
  { page: 'docs/agents.md', name: 'abilities', text: abilitiesTable() },
  { page: 'docs/recovery.md', name: 'recovery-rules', text: recoveryTable() },
  { page: 'docs/recovery.md', name: 'presets', text: presetTable() },
  { page: 'docs/metrics.md', name: 'metrics', text: metricsTable() },
]

function metricsTable(): string {
  const rows = Object.entries(catalogue).map(([name, { type, labels, help }]) => {
    const shown = labels.map((label) => `\`${label}\``).join(', ') || '—'
    return `| \`${name}\` | ${type} | ${shown} | ${help} |`
  })
  return ['| name | type | labels | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

function auditKindsTable(): string {
  const rows = Object.entries(AUDIT_KINDS).map(([kind, about]) => `| \`${kind}\` | ${about} |`)
  return ['| kind | what it tells |', '|---|---|', ...rows].join('\n')
}

function eventsTable(): string {
  const rows = Object.entries(journalEvents).map(([kind, { tells, data }]) => {
    const fields = Object.entries(data).map(([name, about]) => `\`${name}\`: ${about}`)
    return `| \`${kind}\` | ${tells} | ${fields.join('; ') || '—'} |`
  })
  return ['| kind | what happened | data |', '|---|---|---|', ...rows].join('\n')
}

function recoveryTable(): string {
  const rows = recoveryRules.map(({ name, seen, does }) => `| \`${name}\` | ${seen} | ${does} |`)
  return ['| rule | what happened | what follows |', '|---|---|---|', ...rows].join('\n')
}

function presetTable(): string {
  const rows = Object.entries(presets).flatMap(([preset, numbers]) =>
    Object.entries(numbers).map(
      ([key, value]) => `| \`${preset}\` | \`${key}\` | \`${settingText(key as SettingKey, value)}\` |`,
    ),
  )
  return ['| preset | key | value |', '|---|---|---|', ...rows].join('\n')
}

/** Beside the rows of the table: what is not there, and patience that ran out, are no states of a task. */
function finalStatesTable(): string {
  const rows = finalStates.map(({ when, state }) => `| ${when} | \`${state}\` |`)
  return ['| the session | `final_state` |', '|---|---|', ...rows, '| unknown | `not_found` |'].join('\n')
}

/** From the drivers' own declarations: what an agent cannot do is refused, and stands here as —. */
function abilitiesTable(): string {
  const HEARS = { keys: 'typed', lines: 'handed over' }
  const TELLS = { events: 'the agent', screen: 'the screen' }
  const TOOLS = {
    as_they_begin: 'as they begin',
    a_moment_late: 'a moment late',
    when_they_end: 'when they end',
    untold: '—',
  }
  const yes = (has: boolean) => (has ? 'yes' : '—')
  const rows: [string, (can: Abilities) => string][] = [
    ['modes', (can) => can.modes.join(', ')],
    ['spoken to while it works', (can) => yes(can.converse)],
    ['asks, where somebody can answer, with', (can) => can.asks.join(', ') || '—'],
    ['in its terminal, prompts are', (can) => (can.terminal ? HEARS[can.terminal.hears] : '—')],
    ['in its terminal, turns are told by', (can) => (can.terminal ? TELLS[can.terminal.tells] : '—')],
    ['`--model`', (can) => yes(can.model)],
    ['persona by its own flag', (can) => (can.personaFlag ? 'yes' : 'in the prompt')],
    ['`--permissions`', (can) => can.permissions.join(', ')],
    ['`--add-dir`', (can) => yes(can.extraDirs)],
    ['MCP servers for one run', (can) => yes(can.mcp)],
    ['session id', (can) => (can.sessionId === 'chosen' ? 'chosen by Holdfast' : 'told by the agent')],
    ['resumed by id', (can) => yes(can.resume)],
    ['tells of its tools, headless', (can) => TOOLS[can.toolsTold.headless]],
    ['tells of its tools, in its terminal', (can) => TOOLS[can.toolsTold.terminal]],
  ]
  const kinds = realDrivers.map(({ kind }) => `\`${kind}\``)
  return [
    `| | ${kinds.join(' | ')} |`,
    `|---|${kinds.map(() => '---|').join('')}`,
    `| tested version | ${realDrivers.map(({ program }) => [...new Set(program?.tested ?? [])].join(' – ')).join(' | ')} |`,
    ...rows.map(([name, of]) => `| ${name} | ${realDrivers.map(({ can }) => of(can)).join(' | ')} |`),
  ].join('\n')
}

/** The page with this section's text between its two comments. */
export function withSection(content: string, { page, name, text }: Generated): string {
  const marked = new RegExp(`(<!-- generated:${name} -->\n)[\\s\\S]*?(<!-- /generated -->)`)
  if (!marked.test(content)) throw new Error(`${page} has no section 'generated:${name}'`)
  return content.replace(marked, (_, begin, end) => `${begin}\n${text}\n\n${end}`)
}

function taskPicture(): string {
  const arrows = Object.entries(taskTransitions).flatMap(([from, steps]) =>
    Object.entries(steps).map(([event, { to, phase }]) =>
      arrow(from === 'new' ? '[*]' : from, to, phase === null ? event : `${event} (${phase})`),
    ),
  )
  return picture([...arrows, ...ends(taskTransitions)])
}

function runPicture(): string {
  const arrows = Object.entries(runTransitions).flatMap(([from, steps]) =>
    Object.entries(steps).map(([event, to]) => arrow(from, to, event)),
  )
  return picture(['[*] --> launching', ...arrows, ...ends(runTransitions)])
}

function triggerPicture(): string {
  const { new: _, ...table } = triggerTransitions
  const arrows = Object.entries(table).flatMap(([from, steps]) =>
    Object.entries(steps).map(([event, to]) => arrow(from, to, event)),
  )
  return picture(['[*] --> queued', ...arrows, ...ends(table)])
}

function runtimePicture(): string {
  const arrows = Object.entries(runtimeTransitions).flatMap(([from, steps]) =>
    Object.entries(steps).map(([event, to]) => arrow(from === 'unregistered' ? '[*]' : from, to, event)),
  )
  return picture([...arrows, 'offline --> [*]', 'failed --> [*]'])
}

const picture = (lines: readonly string[]) =>
  ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n')
const arrow = (from: string, to: string, label: string) => `${from} --> ${to}: ${label}`
const ends = (table: Readonly<Record<string, object>>) =>
  Object.entries(table).flatMap(([state, steps]) =>
    Object.keys(steps).length === 0 ? [`${state} --> [*]`] : [],
  )

const mayBeSetBy: Readonly<Record<Scope, string>> = {
  any: 'you, a project',
  less: 'you; a project may lower it, or raise it when approved',
  fewer: 'you; a project may leave names out, or add some when approved',
  trust: 'you; a project when approved',
  looks: 'you, a project; commands only when approved',
  daemon: 'you',
}

function settingsTable(): string {
  const rows = SETTING_KEYS.map(
    (key) =>
      `| \`${key}\` | ${defaultText(key)} | ${mayBeSetBy[settings[key].scope]} | ${settings[key].readAt} | ${settings[key].about} |`,
  )
  return ['| key | default | may be set by | read at | meaning |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}

const defaultText = (key: SettingKey) => {
  const text = settingText(key, settings[key].fallback)
  return text === 'not set' ? text : `\`${text}\``
}

function environmentTable(): string {
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  const rows = callerEnvironment.map(({ names, reason }) => `| ${code(names)} | ${reason} |`)
  return [
    '| variables | why |',
    '|---|---|',
    ...rows,
    `| never: ${code(neverPassedOn)} | they would tie a run to another run, or to your tmux |`,
  ].join('\n')
}
