// Commands for threads, in which agents and people tell each other what they found and did.
import { MESSAGE_KINDS } from '../../domain/thread/thread.ts'
import type { Command, Loading } from '../command.ts'

const thread = { name: 'thread', about: 'A thread: its id, th_…' } as const
const key = {
  name: 'key',
  value: 'KEY',
  about: 'A name for this request: with the same key again, nothing happens a second time.',
} as const

export const threadCommands = [
  {
    name: 'thread create',
    summary: 'Open a thread in which agents and people talk.',
    details: 'Members are person:NAME, task:SESSION or ROLE@WORKSPACE. Whoever posts becomes one.',
    arguments: [{ name: 'title', about: 'What it is about, in one line.', many: true }],
    options: [
      { name: 'member', value: 'NAME', about: 'Who is told of messages.', repeatable: true },
      { name: 'workspace', value: 'SLUG', about: 'The workspace it belongs to.' },
      key,
    ],
    examples: [
      'holdfast thread create "the login page"',
      'holdfast thread create "review of 17" --member reviewer@shop --member task:last',
    ],
    load: (): Loading => import('../commands/threads/create.ts').then((m) => m.createThread),
  },
  {
    name: 'thread list',
    summary: 'List threads, newest first.',
    arguments: [],
    options: [
      { name: 'blocked', about: 'Only those that wait for a decision to go on.' },
      { name: 'mine', about: 'Only those you are a member of.' },
      { name: 'unread', about: 'Only those of yours with messages you have not read.' },
      { name: 'limit', value: 'N', about: 'At most this many.', default: '50' },
    ],
    examples: ['holdfast thread list', 'holdfast thread list --unread --json'],
    load: (): Loading => import('../commands/threads/list.ts').then((m) => m.listThreads),
  },
  {
    name: 'thread show',
    summary: 'Show a thread: who is in it, how far each has read, and its last messages.',
    details: 'What you have not read stays unread.',
    arguments: [thread],
    options: [{ name: 'last', value: 'N', about: 'How many messages.', default: '20' }],
    examples: ['holdfast thread show th_01JD3C6S9WH5KQ2M7T4XGZVB8N --last 5'],
    load: (): Loading => import('../commands/threads/show.ts').then((m) => m.showThread),
  },
  {
    name: 'thread post',
    summary: 'Post a message to a thread.',
    details:
      'You post as yourself; inside an agent, as its session. A thread in which agents talk in circles is blocked for them.',
    arguments: [
      thread,
      { name: 'text', about: 'The message, up to 64 KB; `-` reads stdin.', optional: true, many: true },
    ],
    options: [
      { name: 'file', short: 'f', value: 'FILE', about: 'Read the message from a file.' },
      {
        name: 'kind',
        value: 'KIND',
        about: 'What it is.',
        choices: MESSAGE_KINDS,
        default: 'message',
      },
      {
        name: 'ref',
        value: 'REF',
        about: 'What it is about: a file, a session, a commit.',
        repeatable: true,
      },
      key,
    ],
    examples: [
      'holdfast thread post th_01JD3C6S9WH5KQ2M7T4XGZVB8N "the tests pass" --kind result',
      'holdfast thread post th_01JD3C6S9WH5KQ2M7T4XGZVB8N --file report.md --kind finding --ref src/login.ts',
    ],
    load: (): Loading => import('../commands/threads/post.ts').then((m) => m.postMessage),
  },
  {
    name: 'thread read',
    summary: 'Read what others posted to a thread since you last read it.',
    details:
      'Messages count as read once they are printed. Exits 1 when nothing came within --wait. Without --wait it answers at once.',
    arguments: [thread],
    options: [
      { name: 'wait', value: 'TIME', kind: 'duration', about: 'Wait for a message; none: without a limit.' },
      { name: 'keep', about: 'Leave them unread.' },
      { name: 'limit', value: 'N', about: 'At most this many messages at once.', default: '50' },
    ],
    examples: [
      'holdfast thread read th_01JD3C6S9WH5KQ2M7T4XGZVB8N',
      'holdfast thread read th_01JD3C6S9WH5KQ2M7T4XGZVB8N --wait 10m --json',
    ],
    load: (): Loading => import('../commands/threads/read.ts').then((m) => m.readThread),
  },
  {
    name: 'thread continue',
    summary: 'Let agents post again to a thread that was blocked because they talked in circles.',
    details: 'For people, and for the agents of the role in `orchestrator.role`.',
    arguments: [thread],
    options: [{ name: 'why', value: 'TEXT', about: 'The reason; it is kept on the record.' }],
    examples: ['holdfast thread continue th_01JD3C6S9WH5KQ2M7T4XGZVB8N --why "the API key is there now"'],
    load: (): Loading => import('../commands/threads/continue.ts').then((m) => m.continueThread),
  },
] as const satisfies readonly Command[]
