// Owns the options of a new task, which `create` and `run` share.
import type { Option } from '../command.ts'

export const taskOptions = [
  { name: 'agent', short: 'a', value: 'KIND', about: 'The agent CLI to start.', default: 'from config' },
  { name: 'model', short: 'm', value: 'MODEL', about: 'The model it should use.', default: "the agent's" },
  { name: 'dir', short: 'd', value: 'DIR', about: 'Where the agent works.', default: 'here' },
  {
    name: 'name',
    short: 'n',
    value: 'NAME',
    about: 'A name for the session. Commands take it instead of the id, and the id ends with it.',
    default: 'no name; the id ends with the role',
  },
  {
    name: 'title',
    value: 'TEXT',
    about: 'What the session is about, shown by `list`.',
    default: "the prompt's first words",
  },
  {
    name: 'mode',
    value: 'MODE',
    choices: ['headless', 'interactive'],
    about: 'Work without a screen, or in the terminal interface of the agent.',
  },
  {
    name: 'permissions',
    value: 'LEVEL',
    choices: ['default', 'read', 'edit', 'full'],
    about:
      'What the agent may do without asking. default: what its own settings allow; read: change nothing; edit: change files; full: everything.',
    default: "the role's, else default",
  },
  {
    name: 'add-dir',
    value: 'DIR',
    repeatable: true,
    about: 'Another directory that the agent may work in.',
  },
  { name: 'converse', about: 'Keep the session open for more prompts; see `holdfast send`.' },
  {
    name: 'priority',
    short: 'p',
    value: 'LEVEL',
    choices: ['low', 'normal', 'high'],
    about: 'Its place in the queue.',
    default: 'normal',
  },
  {
    name: 'tag',
    short: 't',
    value: 'TAG',
    repeatable: true,
    about: 'A label; `list --tag` finds the session by it.',
  },
  { name: 'meta', value: 'KEY=VALUE', repeatable: true, about: 'Your own data, kept with the session.' },
  {
    name: 'env',
    short: 'e',
    value: 'NAME[=VALUE]',
    repeatable: true,
    about: 'Pass a variable of your environment to the agent, or set one.',
  },
  {
    name: 'max-duration',
    value: 'TIME',
    kind: 'duration',
    about: 'The session is ended after this working time: 90s, 30m, 2h, none.',
    default: 'from config',
  },
  {
    name: 'verify',
    value: 'CONTRACT',
    repeatable: true,
    about:
      'The session is completed only when these checks pass: a .yaml or .json contract, file:PATH, cmd:COMMAND, or none.',
    default: 'from config',
  },
  { name: 'no-queue', about: 'Fail instead of waiting when too many sessions are working.' },
  {
    name: 'wait',
    short: 'w',
    about: 'Show the output until the session has ended or its turn is over; exit 0 only if it completed.',
  },
] as const satisfies readonly Option[]
