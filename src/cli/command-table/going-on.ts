// Commands by which work is verified, brought back and explained.
import type { Command, Loading } from '../command.ts'
import { id } from './shared.ts'

export const goingOnCommands = [
  {
    name: 'verify',
    summary: "Check a session's work against its contract now.",
    details: 'Exits 0 when verified, 2 when not. It changes nothing about the session.',
    arguments: [id],
    options: [],
    examples: ['holdfast verify 20251118-153042-grafana-validator --json'],
    load: (): Loading => import('../commands/watch/verify.ts').then((m) => m.verify),
  },
  {
    name: 'verify-step',
    summary: 'Check the project against the contract of a workflow step.',
    details:
      'The contract is read from the state file, from .holdfast/steps/<step>.yaml or from ~/.config/holdfast/steps/<step>.yaml; see docs/verify.md. ' +
      'Answers in JSON. Exits 0 when verified, 2 when not.',
    arguments: [
      { name: 'step', about: 'The step, such as create.' },
      {
        name: 'story',
        about: 'The story that the step belongs to, such as 5.3; it replaces {story} in the contract.',
      },
    ],
    options: [
      { name: 'state-file', value: 'FILE', about: 'The state file of the workflow.' },
      { name: 'dir', short: 'd', value: 'DIR', about: 'The project.', default: 'here' },
    ],
    examples: ['holdfast verify-step create 5.3 --state-file state.yaml'],
    load: (): Loading => import('../commands/watch/verify-step.ts').then((m) => m.verifyStep),
  },
  {
    name: 'questions',
    summary: 'List what sessions ask you, with the commands to answer.',
    arguments: [],
    options: [],
    examples: ['holdfast questions'],
    load: (): Loading => import('../commands/answer/questions.ts').then((m) => m.questions),
  },
  {
    name: 'why',
    summary: 'Show what happened to a session, why it waits, and what comes next.',
    arguments: [id],
    options: [],
    examples: ['holdfast why 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/watch/why.ts').then((m) => m.why),
  },
  {
    name: 'resume',
    summary: 'Continue a session that waits for you, is parked, or has ended.',
    details:
      'The agent continues its own conversation, if it can. A session that has ended gets the environment variables of this shell.',
    arguments: [
      id,
      {
        name: 'prompt',
        about: 'What to tell the agent, instead of the standard message; `-` reads stdin.',
        optional: true,
        many: true,
      },
    ],
    options: [{ name: 'file', short: 'f', value: 'FILE', about: 'Read the prompt from a file.' }],
    examples: [
      'holdfast resume 20251118-153042-grafana-validator',
      'holdfast resume 20251118-15 "the network is back, go on"',
    ],
    load: (): Loading => import('../commands/fix/resume.ts').then((m) => m.resume),
  },
  {
    name: 'retry',
    summary: 'Start a session again, with what was done so far as context.',
    arguments: [id],
    options: [],
    examples: ['holdfast retry 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/fix/resume.ts').then((m) => m.retry),
  },
  {
    name: 'takeover',
    summary: 'Continue a session in its terminal, where you can type.',
    arguments: [id],
    options: [{ name: 'attach', about: 'Attach to the terminal as soon as it is ready.' }],
    examples: ['holdfast takeover 20251118-153042-grafana-validator --attach'],
    load: (): Loading => import('../commands/fix/takeover.ts').then((m) => m.takeover),
  },
  {
    name: 'handback',
    summary: 'Give a session back: it continues without a terminal.',
    arguments: [id],
    options: [],
    examples: ['holdfast handback 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/fix/takeover.ts').then((m) => m.handback),
  },
  {
    name: 'parks',
    summary: 'List the sessions that wait for a limit, and until when.',
    arguments: [],
    options: [],
    examples: ['holdfast parks'],
    load: (): Loading => import('../commands/fix/parks.ts').then((m) => m.parks),
  },
  {
    name: 'unpark',
    summary: 'Continue parked sessions now instead of waiting.',
    details:
      'If other sessions wait for the same limit, this one tries first; the others follow when it makes progress. With --all, no session waits for another.',
    arguments: [{ ...id, optional: true }],
    options: [{ name: 'all', about: 'Continue all parked sessions.' }],
    examples: ['holdfast unpark 20251118-153042-grafana-validator', 'holdfast unpark --all'],
    load: (): Loading => import('../commands/fix/parks.ts').then((m) => m.unpark),
  },
] as const satisfies readonly Command[]
