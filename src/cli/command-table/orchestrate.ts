// Commands for agents that start and watch other agents.
import type { Command, Loading } from '../command.ts'

export const orchestrateCommands = [
  {
    name: 'mcp',
    summary: 'Serve the tools of Holdfast to an agent, by MCP on stdin and stdout.',
    details:
      'For your own agents: add it to them as an MCP server with the command `holdfast mcp`. Agents that Holdfast starts have it already, unless the setting `bridge.mcp` is false.',
    arguments: [],
    options: [],
    examples: ['holdfast mcp'],
    load: (): Loading => import('../commands/orchestrate/mcp.ts').then((m) => m.mcp),
  },
  {
    name: 'bridge',
    summary: 'Call one of the tools that `mcp` serves, and print its answer as JSON.',
    details:
      'For agents without MCP, and for scripts. Without a verb, it lists the tools and the fields that each takes.',
    arguments: [
      { name: 'verb', about: 'The name of a tool, such as wait.', optional: true },
      {
        name: 'field',
        about: 'NAME=VALUE; give NAME several times for a list.',
        optional: true,
        many: true,
      },
    ],
    options: [{ name: 'input', value: 'JSON', about: 'All fields as one JSON object; `-` reads stdin.' }],
    examples: [
      'holdfast bridge',
      'holdfast bridge get_task task=last',
      'holdfast bridge wait tasks=20251118-153042-grafana-validator tasks=last any=true',
      'holdfast bridge submit_result --input \'{"result":{"found":3}}\'',
    ],
    load: (): Loading => import('../commands/orchestrate/bridge.ts').then((m) => m.bridge),
  },
  {
    name: 'skill install',
    summary: 'Teach your agents when and how to use Holdfast: writes a skill into their skill folders.',
    details:
      'Shows which files it would write, and asks. A file that you changed is replaced only when you say so.',
    arguments: [],
    options: [
      {
        name: 'agent',
        short: 'a',
        value: 'KIND',
        about: 'Only for this agent; several are possible.',
        choices: ['claude', 'codex', 'opencode', 'pi'],
        repeatable: true,
        default: 'every agent that has a folder of its own in your home directory',
      },
      { name: 'yes', short: 'y', about: 'Do not ask. Files that you changed stay as they are.' },
    ],
    examples: ['holdfast skill install', 'holdfast skill install --agent claude --yes'],
    load: (): Loading => import('../commands/orchestrate/skill.ts').then((m) => m.installSkill),
  },
] as const satisfies readonly Command[]
