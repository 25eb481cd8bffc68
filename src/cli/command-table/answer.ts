// Commands by which a person speaks to a session.
import { TRIGGER_STATES } from '../../domain/trigger/machine.ts'
import type { Command, Loading } from '../command.ts'
import { id } from './common-arguments.ts'

export const answerCommands = [
  {
    name: 'questions',
    summary: 'List what sessions ask you, with the commands to answer.',
    arguments: [],
    options: [],
    examples: ['holdfast questions'],
    load: (): Loading => import('../commands/answer/questions.ts').then((m) => m.questions),
  },
  {
    name: 'answer',
    summary: 'Answer what a session asks.',
    details: 'The questions and their options are shown by `holdfast status <id>`.',
    arguments: [
      id,
      { name: 'choice', about: "An option's number or words, or a text of your own.", many: true },
    ],
    options: [
      {
        name: 'question',
        value: 'NUMBER',
        about: 'Which question, when several are open.',
        default: 'the oldest',
      },
    ],
    examples: ['holdfast answer 20251118-153042-grafana-validator 1', 'holdfast answer 20251118-15 allow'],
    load: (): Loading => import('../commands/answer/answer.ts').then((m) => m.answer),
  },
  {
    name: 'send',
    summary: 'Send another prompt to a session or runtime that listens.',
    details:
      'Sessions listen when they were started with --converse or --mode interactive; runtimes always do, and are named <role>@<workspace>. Each prompt gets an id, by which `holdfast trigger show` follows it. ' +
      'With --wait it exits 0 when the prompt is so far, 1 or 2 when it failed, nobody knows, a person keeps it for too long, or the time is up.',
    arguments: [id, { name: 'prompt', about: 'What to do; `-` reads stdin.', optional: true, many: true }],
    options: [
      { name: 'file', short: 'f', value: 'FILE', about: 'Read the prompt from a file.' },
      {
        name: 'thread',
        value: 'THREAD',
        about:
          'The thread it belongs to: the agent gets it in an envelope, and is expected to acknowledge it.',
      },
      { name: 'reason', value: 'REASON', about: 'Why it is sent, in one word for the envelope.' },
      { name: 'key', value: 'KEY', about: 'The same key with the same prompt is sent only once.' },
      {
        name: 'force',
        about:
          'Type it although somebody typed there a moment ago; never into a dialog or over unsent text. Needs --operator and --why.',
      },
      { name: 'operator', value: 'WHO', about: 'Who forces it; goes on the record.' },
      { name: 'why', value: 'WHY', about: 'Why it is forced; goes on the record.' },
      {
        name: 'wait',
        value: 'STATE',
        choices: ['submitted', 'acknowledged'],
        about: 'Wait until the agent has it, or has acknowledged it.',
      },
      { name: 'timeout', value: 'TIME', kind: 'duration', about: 'How long to wait.', default: '2m' },
      { name: 'end', about: 'Say that no more prompts will come: the session ends when its turn is over.' },
    ],
    examples: [
      'holdfast send 20251118-153042-grafana-validator "now fix the docs too"',
      'holdfast send 20251118-153042-grafana-validator --file notes.md --thread th_01JXYZ --wait acknowledged',
      'holdfast send reviewer@shop "review the last commit"',
      'holdfast send 20251118-153042-grafana-validator --end',
    ],
    load: (): Loading => import('../commands/answer/send.ts').then((m) => m.send),
  },
  {
    name: 'trigger show',
    summary: 'Show where a sent prompt is: each step with its time and evidence, and what comes next.',
    arguments: [{ name: 'trigger', about: 'Its id, as `send` and `trigger list` show it.' }],
    options: [
      {
        name: 'wait',
        value: 'STATE',
        choices: ['submitted', 'acknowledged'],
        about: 'Wait until the agent has it, or has acknowledged it, and exit as `send --wait` does.',
      },
      { name: 'timeout', value: 'TIME', kind: 'duration', about: 'How long to wait.', default: '2m' },
    ],
    examples: [
      'holdfast trigger show trg_20251118_0001',
      'holdfast trigger show trg_20251118_0001 --wait acknowledged --timeout 5m',
    ],
    load: (): Loading => import('../commands/answer/trigger.ts').then((m) => m.triggerShow),
  },
  {
    name: 'trigger force',
    summary: 'Have a prompt that waits typed although somebody typed there a moment ago.',
    details:
      'Never into a dialog, and never over unsent text. Who forced it and why goes on the record. Of two who force the same prompt, the first counts; the other gets exit code 1.',
    arguments: [{ name: 'trigger', about: 'Its id, as `send` and `trigger list` show it.' }],
    options: [
      { name: 'operator', value: 'WHO', about: 'Who forces it; goes on the record.' },
      { name: 'why', value: 'WHY', about: 'Why it is forced; goes on the record.' },
    ],
    examples: ['holdfast trigger force trg_20251118_0001 --operator ann --why "the release waits"'],
    load: (): Loading => import('../commands/answer/trigger.ts').then((m) => m.triggerForce),
  },
  {
    name: 'trigger list',
    summary: 'List the prompts that were sent, newest first.',
    arguments: [],
    options: [
      { name: 'thread', value: 'THREAD', about: 'Only those of this thread.' },
      { name: 'to', value: 'ID', about: 'Only those to this session.' },
      { name: 'state', value: 'STATE', choices: TRIGGER_STATES, about: 'Only those in this state.' },
      { name: 'limit', value: 'N', about: 'At most this many.', default: '100' },
    ],
    examples: ['holdfast trigger list --state deferred', 'holdfast trigger list --to last --json'],
    load: (): Loading => import('../commands/answer/trigger.ts').then((m) => m.triggerList),
  },
  {
    name: 'finish',
    summary: 'Complete a session that waits for more prompts.',
    details:
      'It ends as completed when its turn is over and all prompts that were sent to it are done. If it has a contract, its work is verified first. A session that takes no further prompts ends by itself.',
    arguments: [id],
    options: [],
    examples: ['holdfast finish 20251118-153042-grafana-validator'],
    load: (): Loading => import('../commands/answer/finish.ts').then((m) => m.finish),
  },
] as const satisfies readonly Command[]
