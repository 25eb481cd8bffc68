import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { realDrivers } from '../../../src/agents/all.ts'
import {
  agentLines,
  BUILT_IN_KINDS,
  exitCodeDecides,
  readCustomAgents,
} from '../../../src/domain/settings/custom-agents.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'

const load = (agents: unknown) =>
  mergeConfig([{ file: 'config.yaml', approval: 'own', content: { agents } }]).config.agents

const aider = {
  argv: ['aider', '--yes-always', '--message-file', '{prompt_file}', '--root={dir}'],
  resume: ['aider', '--restore', '{session_id}'],
  model: ['--model', '{model}'],
  env: ['AIDER_*', 'OPENAI_API_KEY'],
  patterns: { session: 'session ([0-9a-f-]{36})', done: '^All done', failed: '^Error: (.*)' },
}

test('a full description is kept as it was written', () => {
  expect(load({ aider })).toEqual({ aider })
})

test('the agents shown in docs/config.md can be used as they stand', () => {
  const [, shown] = /```yaml\n(agents:[\s\S]*?)```/.exec(readFileSync('docs/config.md', 'utf8'))!
  expect(Object.keys(load(parse(shown!).agents))).toEqual(['aider', 'mender'])
})

test('a command line alone is enough', () => {
  const alone = { argv: ['/opt/my agent/run'], resume: null, model: null, env: [], patterns: {} }
  expect(load({ mine: { argv: alone.argv } })).toEqual({ mine: alone })
})

test('braces that hold no word, and empty arguments, are ordinary', () => {
  const argv = ['agent', '{"json": {}}', '{}', '{A}', '']
  expect(load({ mine: { argv } }).mine!.argv).toEqual(argv)
})

test.each<[wrong: unknown, message: string]>([
  [[], "'agents' must be a map from names to agents"],
  ['aider', "'agents' must be a map"],
  [{ claude: aider }, "'agents.claude' is the name of a built-in agent"],
  [{ scripted: aider }, "'agents.scripted' is the name of a built-in agent"],
  [{ '../x': aider }, "'agents.../x' may only contain letters"],
  [{ aider: null }, "'agents.aider' must be a map with argv, resume, model, env, patterns"],
  [{ aider: ['aider'] }, "'agents.aider' must be a map"],
  [{ aider: {} }, "'agents.aider.argv' must be a list of texts, the first one a program"],
  [{ aider: { argv: 'aider --yes' } }, "'agents.aider.argv' must be a list of texts"],
  [{ aider: { argv: [] } }, "'agents.aider.argv' must be a list of texts"],
  [{ aider: { argv: ['aider', 8080] } }, "'agents.aider.argv' must be a list of texts"],
  [{ aider: { argv: ['aider', 'a\0b'] } }, "'agents.aider.argv' must be a list of texts"],
  [{ aider: { argv: [''] } }, 'the first one a program'],
  [{ aider: { argv: ['-x'] } }, 'the first one a program'],
  [{ aider: { argv: ['./run.sh'] } }, 'a name on your PATH, or an absolute path'],
  [{ aider: { argv: ['~/bin/aider'] } }, 'a name on your PATH, or an absolute path'],
  [{ aider: { argv: ['{dir}/run.sh'] } }, 'the first one a program'],
  [{ aider: { argv: ['/opt/{model}'] } }, 'the first one a program'],
  [
    { aider: { argv: ['aider', '{prompt}'] } },
    "argv' cannot use {prompt}, only {prompt_file}, {model}, {dir}",
  ],
  [{ aider: { argv: ['aider', '{promt_file}'] } }, "(did you mean 'prompt_file'?)"],
  [{ aider: { argv: ['aider', '{session_id}'] } }, 'cannot use {session_id}'],
  [{ aider: { ...aider, argvs: [] } }, "'agents.aider.argvs' is unknown; known are argv, "],
  [{ aider: { ...aider, argvs: [] } }, "(did you mean 'argv'?)"],
  [{ aider: { ...aider, resume: ['aider', '--last'] } }, "'agents.aider.resume' must contain {session_id}"],
  [{ aider: { ...aider, resume: 'aider' } }, "'agents.aider.resume' must be a list of texts, the first one"],
  [{ aider: { ...aider, patterns: {} } }, "'agents.aider.resume' needs 'patterns.session'"],
  [{ aider: { ...aider, model: ['--model'] } }, "'agents.aider.model' must contain {model}"],
  [{ aider: { ...aider, model: '{model}' } }, "'agents.aider.model' must be a list of texts"],
  [{ aider: { ...aider, model: ['{dir}{model}'] } }, "model' cannot use {dir}, only {model}"],
  [{ aider: { ...aider, env: 'PATH' } }, "'agents.aider.env' must be a list of variable names"],
  [{ aider: { ...aider, env: ['A=B'] } }, "'agents.aider.env' must be a list of variable names"],
  [{ aider: { ...aider, patterns: [] } }, "'agents.aider.patterns' must be a map with session, done"],
  [{ aider: { ...aider, patterns: { don: 'x' } } }, "patterns.don' is unknown; known are session, done"],
  [
    { aider: { ...aider, patterns: { done: '(' } } },
    "'agents.aider.patterns.done' is not a regular expression: ",
  ],
  [
    { aider: { ...aider, patterns: { done: 7 } } },
    "patterns.done' must be a regular expression of at most 500",
  ],
  [{ aider: { ...aider, patterns: { done: '' } } }, "patterns.done' must be a regular expression"],
  [
    { aider: { ...aider, patterns: { done: 'x'.repeat(501) } } },
    "patterns.done' must be a regular expression",
  ],
])('%j is refused: %s', (agents, message) => {
  const refused = { code: 'CONFIG_INVALID', message: expect.stringContaining(message) }
  expect(() => load(agents)).toThrow(expect.objectContaining(refused))
  expect(() => load(agents)).toThrow(/^config\.yaml: '/)
})

test('what a person approves is shown whole, and nothing in it can fool a terminal', () => {
  const argv = ['sh', '-c', 'curl x | sh\n', '\x1b[2K\u202e{dir}', '']
  expect(agentLines(readCustomAgents({ aider, sly: { argv } }))).toEqual([
    'agents.aider.argv: aider --yes-always --message-file {prompt_file} --root={dir}',
    'agents.aider.resume: aider --restore {session_id}',
    'agents.aider.model: --model {model}',
    'agents.aider.env: AIDER_* OPENAI_API_KEY',
    'agents.aider.patterns.session: "session ([0-9a-f-]{36})"',
    'agents.aider.patterns.done: "^All done"',
    'agents.aider.patterns.failed: "^Error: (.*)"',
    String.raw`agents.sly.argv: sh -c "curl x | sh\n" "\u001b[2K\u202e{dir}" ""`,
  ])
})

test('every agent that Holdfast brings has its name taken', () => {
  for (const { kind } of realDrivers) expect(BUILT_IN_KINDS).toContain(kind)
})

test('the exit code tells only for an agent of the user’s own that has no words for success', () => {
  const [plain, worded] = [{ argv: ['a'] }, { argv: ['a'], patterns: { done: 'x' } }]
  const agents = readCustomAgents({ plain, worded })
  expect([exitCodeDecides(undefined), exitCodeDecides(agents.plain), exitCodeDecides(agents.worded)]).toEqual(
    [false, true, false],
  )
})
