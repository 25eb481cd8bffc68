// Commands by which work is verified, brought back and explained.
import type { Command, Loading } from '../command.ts'
import { id } from './shared.ts'

export const goingOnCommands = [
  {
    name: 'verify',
    summary: "Hold a session's work against its contract, now.",
    details: 'Exits 0 when verified, 2 when not. It changes nothing about the session.',
    arguments: [id],
    options: [],
    examples: ['holdfast verify 20251118-153042-grafana-validator --json'],
    load: (): Loading => import('../commands/verify.ts').then((m) => m.verify),
  },
  {
    name: 'verify-step',
    summary: 'Hold the project against the contract of a workflow step.',
    details:
      'The contract stands in the state file, in .holdfast/steps/<step>.yaml or in your own steps; see docs/verify.md. ' +
      'Answers in JSON. Exits 0 when verified, 2 when not.',
    arguments: [
      { name: 'step', about: 'The step, such as create.' },
      { name: 'story', about: 'What it was done for, such as 5.3; {story} in the contract.' },
    ],
    options: [
      { name: 'state-file', value: 'FILE', about: 'Where the workflow stands.' },
      { name: 'dir', short: 'd', value: 'DIR', about: 'The project.', default: 'here' },
    ],
    examples: ['holdfast verify-step create 5.3 --state-file state.yaml'],
    load: (): Loading => import('../commands/verify-step.ts').then((m) => m.verifyStep),
  },
  {
    name: 'questions',
    summary: 'List everything that sessions ask, with the commands to answer.',
    arguments: [],
    options: [],
    examples: ['holdfast questions'],
    load: (): Loading => import('../commands/questions.ts').then((m) => m.questions),
  },
  {
    name: 'why',
    summary: 'Tell what happened to a session, why it waits, and what comes next.',
    arguments: [id],
    options: [],
    examples: ['holdfast why 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/why.ts').then((m) => m.why),
  },
  {
    name: 'resume',
    summary: 'Let a session go on that waits for you, is parked, or has ended.',
    details:
      'It goes on in its own conversation where its agent can. An ended one gets the environment you call this in.',
    arguments: [
      id,
      {
        name: 'prompt',
        about: 'What to tell it instead of the usual words; `-` reads stdin.',
        optional: true,
        many: true,
      },
    ],
    options: [{ name: 'file', short: 'f', value: 'FILE', about: 'Read the prompt from a file.' }],
    examples: [
      'holdfast resume 20251118-153042-grafana-validator',
      'holdfast resume 20251118-15 "the network is back, go on"',
    ],
    load: (): Loading => import('../commands/resume.ts').then((m) => m.resume),
  },
  {
    name: 'retry',
    summary: 'Let a session begin anew, with what was done as context.',
    arguments: [id],
    options: [],
    examples: ['holdfast retry 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/resume.ts').then((m) => m.retry),
  },
  {
    name: 'takeover',
    summary: 'Take a session over: it goes on in its terminal, with you.',
    arguments: [id],
    options: [{ name: 'attach', about: 'Enter the terminal as soon as it is there.' }],
    examples: ['holdfast takeover 20251118-153042-grafana-validator --attach'],
    load: (): Loading => import('../commands/takeover.ts').then((m) => m.takeover),
  },
  {
    name: 'handback',
    summary: 'Hand a session back: it goes on without a terminal.',
    arguments: [id],
    options: [],
    examples: ['holdfast handback 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/takeover.ts').then((m) => m.handback),
  },
  {
    name: 'parks',
    summary: 'List what is parked: behind which limit, until when, and who waits.',
    arguments: [],
    options: [],
    examples: ['holdfast parks'],
    load: (): Loading => import('../commands/parks.ts').then((m) => m.parks),
  },
  {
    name: 'unpark',
    summary: 'Do not wait any longer: go on now.',
    details:
      'A session behind a limit tries first; the rest follow when it gets on. --all lets all try at once.',
    arguments: [{ ...id, optional: true }],
    options: [{ name: 'all', about: 'Everything that is parked.' }],
    examples: ['holdfast unpark 20251118-153042-grafana-validator', 'holdfast unpark --all'],
    load: (): Loading => import('../commands/parks.ts').then((m) => m.unpark),
  },
] as const satisfies readonly Command[]
