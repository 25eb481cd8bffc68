// Commands by which a person speaks to a session.
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
    summary: 'Send another prompt to a session that listens.',
    details: 'Sessions listen when they were started with --converse or --mode interactive.',
    arguments: [id, { name: 'prompt', about: 'What to do; `-` reads stdin.', optional: true, many: true }],
    options: [
      { name: 'file', short: 'f', value: 'FILE', about: 'Read the prompt from a file.' },
      { name: 'end', about: 'Say that no more prompts will come: the session ends when its turn is over.' },
    ],
    examples: [
      'holdfast send 20251118-153042-grafana-validator "now fix the docs too"',
      'holdfast send 20251118-153042-grafana-validator --end',
    ],
    load: (): Loading => import('../commands/answer/send.ts').then((m) => m.send),
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
