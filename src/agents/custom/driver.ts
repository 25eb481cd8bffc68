// Owns the driver of an agent from config.yaml: a plain program that prints lines.
import {
  type CustomAgent,
  type CustomAgents,
  mentions,
  type PatternName,
  PLACEHOLDER,
} from '../../domain/settings/custom-agents.ts'
import { type LinearPattern, linearPattern } from '../../domain/text/linear-pattern.ts'
import type { AgentDriver, AgentSays, LaunchPlan, LaunchRequest } from '../../ports/run/agent-driver.ts'
import { reading } from '../../ports/run/screen.ts'
import { MOST_DETAIL, MOST_NAME, MOST_TEXT, short } from '../shared/json-line.ts'
import { limitedBy } from '../shared/limited.ts'

const PROMPT_FILE = 'prompt.txt'
const MOST_MATCHED = 4096
/** Colours, cursor moves and titles, which some programs also print into files. */
const TERMINAL_CODES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g

type Patterns = Partial<Record<PatternName, LinearPattern>>

export const customDrivers = (own: CustomAgents): AgentDriver[] =>
  Object.entries(own).map(([name, agent]) => customDriver(name, agent))

export function customDriver(kind: string, agent: CustomAgent): AgentDriver {
  const patterns = compiled(agent)
  return {
    kind,
    program: {
      name: agent.argv[0]!,
      versionArgs: [],
      tested: null,
      install: 'as its own documentation says',
    },
    can: {
      modes: ['headless'],
      converse: false,
      asks: [],
      terminal: null,
      model: agent.model !== null || mentions(agent.argv, 'model'),
      personaFlag: false,
      permissions: ['default'],
      extraDirs: false,
      mcp: false,
      sessionId: 'told',
      resume: agent.resume !== null,
      toolsTold: { headless: 'untold', terminal: 'untold' },
    },
    // The id becomes an argument, so it must not look like an option.
    sessionIdPattern: /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/,
    ownEnv: agent.env,
    launch: (request) => launchPlan(agent, request),
    readEvent: (line) => readLine(line, patterns),
    readStderr: () => 'crash',
    readScreen: () => reading('unknown', 'its interface is not used'),
  }
}

/** Drivers are created again for each use; compiled patterns are kept. */
const known = new WeakMap<CustomAgent['patterns'], Patterns>()

function compiled({ patterns }: CustomAgent): Patterns {
  const before = known.get(patterns)
  if (before !== undefined) return before
  const made: Patterns = Object.fromEntries(
    Object.entries(patterns).map(([name, source]) => [name, patternOf(source)]),
  )
  known.set(patterns, made)
  return made
}

/** Settings with other patterns are refused, but an older version may have stored a task with one; its lines are short. */
function patternOf(source: string): LinearPattern {
  try {
    return linearPattern(source)
  } catch {
    const pattern = new RegExp(source)
    return {
      find: (text) => {
        const match = pattern.exec(text)
        return match ? (match[1] ?? match[0]) : undefined
      },
    }
  }
}

/** `resume` is set only for agents whose settings have `resume`. */
function launchPlan(agent: CustomAgent, request: LaunchRequest): LaunchPlan {
  const { model, prompt, resume } = request
  const command = resume === null ? agent.argv : agent.resume!
  const args =
    model === null ? command.filter((arg) => !mentions([arg], 'model')) : [...command, ...(agent.model ?? [])]
  const byFile = mentions(command, 'prompt_file')
  return {
    argv: args.map((arg) => filled(arg, request)),
    env: {},
    stdin: byFile ? '' : prompt,
    files: byFile ? [{ name: PROMPT_FILE, content: prompt }] : [],
    sessionId: resume,
  }
}

/** Replaced in one pass: values that were filled in are not searched again. */
function filled(arg: string, { model, dir, resume, filesDir }: LaunchRequest): string {
  const values: Record<string, string | null> = {
    model,
    dir,
    session_id: resume,
    prompt_file: `${filesDir}/${PROMPT_FILE}`,
  }
  return arg.replace(PLACEHOLDER, (_, word: string) => values[word] ?? '')
}

/** A line counts as said by the agent, unless a pattern matches. When several match, the one that stops the task wins. */
function readLine(line: string, patterns: Patterns): AgentSays[] {
  const text = short(asShown(line), MOST_TEXT)
  const matched = text.slice(0, MOST_MATCHED)
  const found = (name: PatternName) => patterns[name]?.find(matched)
  const id = found('session')
  return [
    ...(id === undefined ? [] : [{ kind: 'session', id: short(id, MOST_NAME) } as const]),
    meaning(text, found),
  ]
}

function meaning(text: string, found: (name: PatternName) => string | undefined): AgentSays {
  const failed = found('failed')
  if (failed !== undefined) return { kind: 'finished', ok: false, text: failed }
  const limit = found('limit')
  if (limit !== undefined) return limitedBy(short(limit, MOST_DETAIL))
  const question = found('asking')
  if (question !== undefined) return { kind: 'asked', question: short(question, MOST_DETAIL), options: [] }
  const done = found('done')
  return done === undefined ? { kind: 'said', text } : { kind: 'finished', ok: true, text: done }
}

/** The line as a terminal would show it: without text that a carriage return overwrote, and without colours. */
function asShown(line: string): string {
  const whole = line.trimEnd()
  return whole.slice(whole.lastIndexOf('\r') + 1).replace(TERMINAL_CODES, '')
}
