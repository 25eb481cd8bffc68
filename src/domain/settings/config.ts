// Owns every setting: key, type, default, meaning, and whether a project may set it. The table in docs/config.md is made
// from this file.

import { NOTICE_KINDS, type NoticeKind } from '../notify/notice.ts'
import type { NoticeRule } from '../notify/rules.ts'
import type { VerifyContract } from '../verify/contract.ts'
import type { AnswerRule } from './answer-rules.ts'
import type { CustomAgents } from './custom-agents.ts'
import type { Scope } from './is-narrower.ts'
import type { NotifyChannels } from './notify-channels.ts'
import type { Preset } from './recovery-presets.ts'
import {
  amount,
  answerRules,
  boolean,
  byteSize,
  contract,
  customAgents,
  duration,
  durationOrNone,
  envNames,
  hostNames,
  hours,
  type Kind,
  noticeKinds,
  noticeRules,
  notifyChannels,
  optional,
  preset,
  text,
  webAddress,
  whole,
} from './setting-kinds.ts'

export type Setting<T> = Kind<T> & {
  readonly fallback: T
  /** What a project's file may do with the setting. */
  readonly scope: Scope
  readonly about: string
}

const setting = <T>(fallback: T, scope: Scope, kind: Kind<T>, about: string): Setting<T> => ({
  ...kind,
  fallback,
  scope,
  about,
})

export const settings = {
  agent: setting<string | null>(null, 'any', optional(text), 'The agent kind for tasks that name none.'),
  agents: setting<CustomAgents>({}, 'trust', customAgents, 'Agents of your own: see below.'),
  answers: setting<readonly AnswerRule[]>(
    [],
    'trust',
    answerRules,
    'Questions of agents that are answered without you: see below.',
  ),
  maxConcurrent: setting(
    5,
    'daemon',
    whole(1, 500),
    'How many runs may work at once; the rest wait in the queue.',
  ),
  'create.maxDuration': setting<number | null>(
    30 * 60_000,
    'less',
    durationOrNone,
    'Working time of a task made by `create`, then it is ended as KILLED (Timeout); `none` for no end.',
  ),
  'run.maxDuration': setting<number | null>(
    null,
    'less',
    durationOrNone,
    'The same for a task made by `run`.',
  ),
  'kill.grace': setting(
    10_000,
    'less',
    duration(0),
    'How long an interrupted agent may take before it is killed.',
  ),
  'pane.close': setting(
    true,
    'any',
    boolean,
    'Close the pane of an ended task, once its last screen is stored.',
  ),
  'prompt.maxBytes': setting(1024 * 1024, 'less', whole(1, 16 * 1024 * 1024), 'Longest prompt accepted.'),
  'result.maxBytes': setting(
    10 * 1024 * 1024,
    'daemon',
    whole(1, 256 * 1024 * 1024),
    'Longest result.json read from an agent.',
  ),
  'env.pass': setting<string[]>(
    [],
    'fewer',
    envNames,
    'Environment variables passed to agents beside the built-in list; a name may end in *.',
  ),
  'store.url': setting<string | null>(
    null,
    'daemon',
    optional(text),
    'postgres://… for a shared store; otherwise SQLite in the home.',
  ),
  'reconcile.interval': setting(
    5_000,
    'daemon',
    duration(100),
    'How often all tasks are compared with what really runs, in addition to events.',
  ),
  'launch.grace': setting(
    10_000,
    'daemon',
    duration(100),
    'How long a launch may take until its process appears. If it has not begun by then, the task is queued again.',
  ),
  'recovery.preset': setting<Preset>(
    'default',
    'any',
    preset,
    'Numbers for all recovery keys that you do not set yourself: see below.',
  ),
  retries: setting(
    10,
    'less',
    whole(0, 1000),
    'How often a task is brought back without making progress in between; 0: never.',
  ),
  'backoff.base': setting(
    5_000,
    'any',
    duration(0),
    'The first retry comes at once, the second after this time, each further one after twice the time before.',
  ),
  'backoff.cap': setting(10 * 60_000, 'any', duration(0), 'The longest wait between two retries.'),
  deadline: setting<number | null>(
    5 * 3_600_000,
    'less',
    durationOrNone,
    'Working time after which a task is not brought back any more; it never ends a living agent.',
  ),
  'crashLoop.deaths': setting(
    3,
    'any',
    whole(2, 1000),
    'After this many deaths without progress within `crashLoop.window`, a person is asked instead of retrying.',
  ),
  'crashLoop.window': setting(15 * 60_000, 'any', duration(1000), 'See `crashLoop.deaths`.'),
  'runtime.grace': setting(
    30_000,
    'any',
    duration(0),
    'How long after its end a runtime is started again. The first time at once, when a prompt waits for it.',
  ),
  'runtime.maxRestarts': setting(
    5,
    'any',
    whole(1, 1000),
    'After this many restarts in which a runtime did not come up, it is left down and a person is asked.',
  ),
  'runtime.startTimeout': setting(
    60_000,
    'any',
    duration(1000),
    'How long a runtime may take until its agent waits for a prompt.',
  ),
  'runtime.staleAfter': setting(
    12 * 3_600_000,
    'daemon',
    duration(1000),
    'A runtime that has said nothing for this time is not resumed with a prompt that it did not take: a new session begins.',
  ),
  'breaker.failures': setting(
    3,
    'daemon',
    whole(1, 1000),
    'When this many tasks of one agent and account fail in the same way, with no progress in between, all tasks of that account wait.',
  ),
  maxCost: setting<number | null>(null, 'less', amount(0), 'Dollars after which a task is ended.'),
  maxTokens: setting<number | null>(
    null,
    'less',
    amount(1),
    'Tokens, in and out together, after which a task is ended.',
  ),
  'park.enabled': setting(
    true,
    'daemon',
    boolean,
    'Wait for the end of a usage limit. Otherwise a person is asked.',
  ),
  'park.quietHours': setting<string | null>(
    null,
    'daemon',
    optional(hours),
    'No parked task wakes in these hours, such as 22:00-07:00 (local time).',
  ),
  'wake.stagger': setting(
    2_000,
    'daemon',
    duration(0),
    'Pause between tasks that go on together: after a limit, or after a reboot.',
  ),
  'wake.quiet': setting(
    2_000,
    'daemon',
    duration(0),
    'How long after the first news of its children a task is told of them: what happens within this time is told together.',
  ),
  'stuck.after': setting(
    5 * 60_000,
    'any',
    duration(1000),
    'An agent without any proof of life for this time is stuck.',
  ),
  'stuck.quiet': setting(
    30 * 60_000,
    'any',
    duration(1000),
    'The same while a request or a tool call is open.',
  ),
  'quiet.window': setting(
    20_000,
    'daemon',
    duration(0),
    'Holdfast types into an agent’s terminal only after nobody has pressed a key there for this time.',
  ),
  'token.lifetime': setting(
    15 * 60_000,
    'daemon',
    duration(10_000),
    'How long the token is valid by which a run proves who it is. It is renewed while the run lives.',
  ),
  'bridge.mcp': setting(
    true,
    'daemon',
    boolean,
    'Give the tools of Holdfast (MCP) to every run of an agent that can have them. Your own MCP servers stay.',
  ),
  'thread.maxTurns': setting(
    20,
    'daemon',
    whole(1, 100_000),
    'After this many messages of agents in a row without progress, a thread is blocked until a person or the orchestrator continues it.',
  ),
  'thread.maxIdenticalFindings': setting(
    3,
    'daemon',
    whole(2, 1000),
    'After this many findings that say the same, a thread is blocked in the same way.',
  ),
  'trigger.ratePerThread': setting(
    30,
    'daemon',
    whole(1, 10_000),
    'How often per minute messages of one thread may wake agents; further wake-ups come later.',
  ),
  'trigger.ratePerAgent': setting(
    60,
    'daemon',
    whole(1, 10_000),
    'The same for the messages of one agent, in all threads together.',
  ),
  'orchestrator.role': setting<string | null>(
    null,
    'daemon',
    optional(text),
    'The role whose agents coordinate the others: they may continue blocked threads, and are told when a person has typed into another runtime of their workspace.',
  ),
  'trigger.maxBytes': setting(
    64 * 1024,
    'less',
    whole(1, 16 * 1024 * 1024),
    'Longest prompt that can be sent to a session that runs.',
  ),
  'trigger.deferRecheck': setting(
    5_000,
    'daemon',
    duration(100),
    'How often a prompt that waits because somebody types is looked at again, in addition to when its terminal changes.',
  ),
  'trigger.deferMax': setting(
    60_000,
    'daemon',
    duration(0),
    'After this time of waiting for a person, whoever waits for the prompt is told (DEFER_TIMEOUT).',
  ),
  'trigger.ackTimeout': setting(
    8_000,
    'daemon',
    duration(100),
    'How long an acknowledgement of a prompt in an envelope is awaited.',
  ),
  'trigger.ackRetries': setting(
    2,
    'daemon',
    whole(0, 10),
    'How often it is awaited longer after that. Nothing is sent again.',
  ),
  'trigger.ackBackoff': setting(
    2_000,
    'daemon',
    duration(0),
    'The first further wait; each one after it is twice as long.',
  ),
  'trigger.resumeAttempts': setting(
    2,
    'daemon',
    whole(0, 10),
    'How often an agent that does not take a prompt is resumed with it. After that a runtime begins a new session with it; elsewhere the prompt has failed.',
  ),
  'recursion.depth': setting(
    0,
    'less',
    whole(0, 10),
    'How deep tasks may start tasks. 0: not at all. 1: tasks that a person started may start tasks, but those may not.',
  ),
  'disk.warn': setting<number | null>(
    100 * 1024 ** 2,
    'daemon',
    byteSize,
    'You are warned once when a task uses this much disk space (handoff and run directories together).',
  ),
  'disk.limit': setting<number | null>(
    500 * 1024 ** 2,
    'daemon',
    byteSize,
    'A task that uses this much disk space is ended.',
  ),
  'disk.totalWarn': setting<number | null>(
    1024 ** 3,
    'daemon',
    byteSize,
    'You are warned, at most once a day, when all tasks that are not archived use this much disk space together.',
  ),
  'archive.after': setting<number | null>(
    24 * 3_600_000,
    'daemon',
    durationOrNone,
    'Completed tasks are archived after this time; `none` never.',
  ),
  'retention.runs': setting<number | null>(
    30 * 86_400_000,
    'daemon',
    durationOrNone,
    'How long files of archived runs, earlier runs of ended tasks, and files that belong to nothing are kept.',
  ),
  'retention.events': setting<number | null>(
    30 * 86_400_000,
    'daemon',
    durationOrNone,
    'How long events are kept, and prompts that runtimes have worked off.',
  ),
  'retention.messages': setting<number | null>(
    365 * 86_400_000,
    'daemon',
    durationOrNone,
    'How long messages are kept, and threads in which nothing is posted any more.',
  ),
  'retention.audit': setting<number | null>(
    365 * 86_400_000,
    'daemon',
    durationOrNone,
    'How long the record of who did what is kept.',
  ),
  'notify.channels': setting<NotifyChannels>(
    {},
    'daemon',
    notifyChannels,
    'By which ways you are told what happens: see docs/notifications.md.',
  ),
  'notify.rules': setting<readonly NoticeRule[]>(
    [],
    'daemon',
    noticeRules,
    'Which channel is told of what; without rules, all are told all but progress.',
  ),
  'notify.events': setting<readonly NoticeKind[]>(
    NOTICE_KINDS,
    'fewer',
    noticeKinds,
    'Nobody is told of other events than these. A project may leave some out for its tasks.',
  ),
  'notify.quietHours': setting<string | null>(
    null,
    'daemon',
    optional(hours),
    'Nobody is told anything in these hours, such as 22:00-07:00 (local time); it is told together when they are over.',
  ),
  'notify.group': setting(
    3_000,
    'daemon',
    duration(0),
    'How long after an event a channel is told of it: what happens within this time is told together. Also the least time between two deliveries to one channel.',
  ),
  'notify.giveUpAfter': setting(
    3 * 86_400_000,
    'daemon',
    duration(60_000),
    'How long a channel that does not answer is tried; then the delivery is set aside.',
  ),
  'notify.answerWithin': setting(
    24 * 3_600_000,
    'daemon',
    duration(60_000),
    'How long the answer buttons of a notice work.',
  ),
  'notify.publicUrl': setting<string | null>(
    null,
    'daemon',
    optional(webAddress),
    'The address under which others reach `/inbound/` of this daemon, for answers by ntfy.',
  ),
  'server.port': setting(
    0,
    'daemon',
    whole(0, 65_535),
    'The TCP port of the page and the HTTP API. 0: none, until the command `web` opens one.',
  ),
  'server.host': setting(
    '127.0.0.1',
    'daemon',
    text,
    'The address to listen on. Any other than a loopback address needs `server.allowRemote`.',
  ),
  'server.allowRemote': setting(
    false,
    'daemon',
    boolean,
    'Allow an address that other machines can reach. What they send is not encrypted: `ssh -L` is safer.',
  ),
  'server.hosts': setting<string[]>(
    [],
    'daemon',
    hostNames,
    'Names of your own by which browsers may reach the page, beside localhost and its addresses.',
  ),
  verify: setting<VerifyContract | null>(
    null,
    'looks',
    optional(contract),
    "The contract of tasks without `--verify`: see docs/verify.md. A project's checks come after yours.",
  ),
  'tmux.path': setting('tmux', 'daemon', text, 'The tmux to use.'),
  'tmux.rest': setting(
    10 * 60_000,
    'daemon',
    duration(100),
    'How long Holdfast waits before it starts tmux again, when the tmux server died three times within ten minutes. Each time it waits longer, up to six times this.',
  ),
} as const

export type SettingKey = keyof typeof settings
export type Config = { readonly [K in SettingKey]: (typeof settings)[K]['fallback'] }
export const SETTING_KEYS = Object.keys(settings) as SettingKey[]

/** A value and where it came from: `default`, a preset, or one or more files. */
export type Sourced = { readonly key: SettingKey; readonly value: unknown; readonly source: string }

/** A value as a person would write it in the file. */
export const settingText = (key: SettingKey, value: unknown) =>
  (settings[key] as Setting<unknown>).write(value)
