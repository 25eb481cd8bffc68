// Commands for runtimes: agents that stand by in a role of a workspace.
import type { Command, Loading } from '../command.ts'

const runtime = {
  name: 'runtime',
  about: 'A runtime: `<role>@<workspace>`, its id, or a role that one workspace alone has.',
} as const

export const runtimeCommands = [
  {
    name: 'runtime start',
    summary: 'Have an agent stand by in a role: start it, bring it back, or find it up.',
    details:
      'It lives in the tmux session agents_<workspace>, in a window named after its role, and comes back however it ends, until ' +
      '`holdfast runtime stop`. The command returns when it waits for prompts, or fails after `runtime.startTimeout`.',
    arguments: [{ name: 'role', about: 'A role with a role file; or any name, with --agent.' }],
    options: [
      {
        name: 'workspace',
        short: 'w',
        value: 'W',
        about: 'A workspace: slug, id or directory.',
        default: 'here',
      },
      { name: 'seed', value: 'TEXT', about: 'What it is told first.', default: 'nothing' },
      { name: 'agent', short: 'a', value: 'KIND', about: 'The agent kind.', default: "the role's" },
      { name: 'model', short: 'm', value: 'MODEL', about: 'The model.', default: "the role's" },
    ],
    examples: [
      'holdfast runtime start reviewer --workspace mobile_core --seed "You are the reviewer. Await triggers."',
      'holdfast runtime start helper --agent claude',
    ],
    load: (): Loading => import('../commands/runtime/start.ts').then((m) => m.startRuntime),
  },
  {
    name: 'runtime list',
    summary: 'List the runtimes, where they are and how they stand.',
    arguments: [],
    options: [],
    examples: ['holdfast runtime list', 'holdfast runtime list --json'],
    load: (): Loading => import('../commands/runtime/show.ts').then((m) => m.listRuntimes),
  },
  {
    name: 'runtime status',
    summary: 'Show one runtime, and how it came to stand where it stands.',
    arguments: [runtime],
    options: [],
    examples: ['holdfast runtime status reviewer@mobile_core'],
    load: (): Loading => import('../commands/runtime/show.ts').then((m) => m.runtimeStatus),
  },
  {
    name: 'runtime stop',
    summary: 'End a runtime; it does not come back until it is started.',
    details: 'Ctrl-C is pressed in its pane; what is still there after `kill.grace` is killed.',
    arguments: [runtime],
    options: [],
    examples: ['holdfast runtime stop reviewer@mobile_core'],
    load: (): Loading => import('../commands/runtime/end.ts').then((m) => m.stopRuntime),
  },
  {
    name: 'runtime restart',
    summary: 'End its agent and start it again, in the same session of the agent.',
    arguments: [runtime],
    options: [],
    examples: ['holdfast runtime restart reviewer@mobile_core'],
    load: (): Loading => import('../commands/runtime/end.ts').then((m) => m.restartRuntime),
  },
  {
    name: 'runtime rm',
    summary: 'Stop a runtime and forget it, with all its files and logs.',
    details: 'What the agent changed in the project stays, and so do the audit rows.',
    arguments: [runtime],
    options: [{ name: 'force', short: 'f', about: 'Do not ask; needed without a terminal.' }],
    examples: ['holdfast runtime rm reviewer@mobile_core --force'],
    load: (): Loading => import('../commands/runtime/end.ts').then((m) => m.removeRuntime),
  },
] as const satisfies readonly Command[]
