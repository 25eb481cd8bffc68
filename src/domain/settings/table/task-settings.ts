import {
  answerRules,
  boolean,
  customAgents,
  duration,
  durationOrNone,
  envNames,
  httpAddress,
  optional,
  text,
  whole,
} from '../setting-kinds.ts'
import { setting } from './setting.ts'

export const taskSettings = {
  agent: setting(null, 'any', optional(text), 'The agent kind for tasks that name none.'),
  agents: setting({}, 'trust', customAgents, 'Agents of your own: see below.'),
  answers: setting([], 'trust', answerRules, 'Questions of agents that are answered without you: see below.'),
  maxConcurrent: setting(
    5,
    'daemon',
    whole(1, 500),
    'How many runs may work at once; the rest wait in the queue.',
  ),
  'create.maxDuration': setting(
    30 * 60_000,
    'less',
    durationOrNone,
    'Working time of a task made by `create`, then it is ended as KILLED (Timeout); `none` for no end.',
  ),
  'run.maxDuration': setting(null, 'less', durationOrNone, 'The same for a task made by `run`.'),
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
  'env.pass': setting(
    [],
    'fewer',
    envNames,
    'Environment variables passed to agents beside the built-in list; a name may end in *.',
  ),
  'store.url': setting(
    null,
    'daemon',
    optional(text),
    'postgres://… for a shared store; otherwise SQLite in the home.',
  ),
  'otel.endpoint': setting(
    null,
    'daemon',
    optional(httpAddress),
    'Where traces go, by OTLP over HTTP: http://127.0.0.1:4318, for example. Without it, OTEL_EXPORTER_OTLP_ENDPOINT of the daemon’s environment; without both, nowhere.',
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
