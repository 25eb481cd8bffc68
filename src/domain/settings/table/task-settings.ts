// Settings of tasks and how they are started. A part of the table in domain/settings/config.ts.

import type { AnswerRule } from '../answer-rules.ts'
import type { CustomAgents } from '../custom-agents.ts'
import {
  answerRules,
  boolean,
  customAgents,
  duration,
  durationOrNone,
  envNames,
  optional,
  text,
  whole,
} from '../setting-kinds.ts'
import { setting } from './setting.ts'

export const taskSettings = {
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
} as const
