// Owns what `create` and `run` can be told about a task.
import type { Option } from './command.ts'

export const taskOptions = [
  { name: 'agent', short: 'a', value: 'KIND', about: 'The agent CLI to start.', default: 'from config' },
  { name: 'model', short: 'm', value: 'MODEL', about: 'The model it should use.', default: "the agent's" },
  { name: 'dir', short: 'd', value: 'DIR', about: 'Where the agent works.', default: 'here' },
  {
    name: 'name',
    short: 'n',
    value: 'NAME',
    about: 'The readable end of the session id.',
    default: 'the role',
  },
  {
    name: 'mode',
    value: 'MODE',
    choices: ['headless', 'interactive'],
    about: 'Without a screen, or in its terminal interface.',
  },
  {
    name: 'permissions',
    value: 'LEVEL',
    choices: ['default', 'read', 'edit', 'full'],
    about: "How far it may go without asking: the agent's own setting, nothing changed, files, everything.",
    default: "the role's, else default",
  },
  {
    name: 'add-dir',
    value: 'DIR',
    repeatable: true,
    about: 'A further directory it may work in.',
  },
  { name: 'converse', about: 'Keep a channel open so that it can be spoken to while it works.' },
  {
    name: 'priority',
    short: 'p',
    value: 'LEVEL',
    choices: ['low', 'normal', 'high'],
    about: 'Its place in the queue.',
    default: 'normal',
  },
  { name: 'tag', short: 't', value: 'TAG', repeatable: true, about: 'A label to list it by.' },
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
    about: 'Working time after which it is ended: 90s, 30m, 2h, none.',
    default: 'from config',
  },
  {
    name: 'verify',
    value: 'CONTRACT',
    repeatable: true,
    about: 'Completed only when this holds: a .yaml or .json contract, file:PATH, cmd:COMMAND, or none.',
    default: 'from config',
  },
  { name: 'no-queue', about: 'Refuse instead of waiting when too many are working.' },
  { name: 'wait', short: 'w', about: 'Show its output until it has ended; exit 0 only if it completed.' },
] as const satisfies readonly Option[]
