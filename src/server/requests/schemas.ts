// Owns the shape of requests. Unknown fields are refused: otherwise a misspelt field would silently get its default.

import type { Context } from 'hono'
import * as z from 'zod/mini'
import { BAR_KEYS } from '../../domain/conversation/bar-keys.ts'
import { HoldfastError } from '../../domain/errors.ts'
import { PERMISSIONS } from '../../domain/run/permission.ts'
import { MESSAGE_KINDS } from '../../domain/thread/thread.ts'
import type { ArchiveManyJson, KillManyJson, RemoveManyJson } from '../../protocol/json/bulk-json.ts'
import type { CreateTaskJson } from '../../protocol/json/create-json.ts'
import type { MonitorAskJson } from '../../protocol/json/monitor-json.ts'
import type { KeysJson } from '../../protocol/json/order-json.ts'
import type { ResumeJson } from '../../protocol/json/recovery-json.ts'
import type { HeartbeatAskJson } from '../../protocol/json/run-json.ts'
import type { StartRuntimeJson } from '../../protocol/json/runtime-json.ts'
import type {
  ContinueThreadJson,
  CreateThreadJson,
  PostMessageJson,
  ReadThreadJson,
} from '../../protocol/json/thread-json.ts'
import type { ForceJson } from '../../protocol/json/trigger-json.ts'
import type { MakeTokenJson, OpenWebJson } from '../../protocol/json/web-json.ts'
import { refusal } from '../../protocol/refusal.ts'
import { bodyOf } from './check.ts'

/** A hundred years: the store cannot keep every time that is further away. */
const LONGEST_AGE_SECONDS = 100 * 366 * 86_400
const LONGEST_RUN_SECONDS = 366 * 86_400

const upTo = (letters: number) => z.string().check(z.maxLength(letters))
const shortText = z.string().check(z.minLength(1), z.maxLength(200))
const absolutePath = z.string().check(z.startsWith('/'), z.maxLength(4096))
const environment = z.record(z.string(), z.string())
const flag = z.optional(z.boolean())
/** As many as fit into one command line. */
const ids = z.array(upTo(200)).check(z.minLength(1), z.maxLength(20_000))

export const createTaskSchema = z.strictObject({
  prompt: z.string(),
  dir: absolutePath,
  agent: z.optional(shortText),
  role: z.optional(shortText),
  model: z.optional(shortText),
  name: z.optional(shortText),
  title: z.optional(shortText),
  mode: z.optional(z.enum(['headless', 'interactive'])),
  converse: flag,
  permissions: z.optional(z.enum(PERMISSIONS)),
  extra_dirs: z.optional(z.array(absolutePath).check(z.maxLength(20))),
  priority: z.optional(z.enum(['low', 'normal', 'high'])),
  tags: z.optional(z.array(shortText).check(z.maxLength(50))),
  meta: z.optional(z.record(z.string().check(z.minLength(1), z.maxLength(100)), upTo(2000))),
  env: z.optional(environment),
  set_env: z.optional(environment),
  command: z.optional(z.enum(['create', 'run'])),
  max_duration_seconds: z.optional(
    z.nullable(z.number().check(z.positive(), z.maximum(LONGEST_RUN_SECONDS))),
  ),
  verify: z.optional(z.nullable(z.array(z.unknown()).check(z.maxLength(100)))),
  no_queue: flag,
  allow_dir: flag,
  allow_wide_dir: flag,
}) satisfies z.ZodMiniType<CreateTaskJson>

export const startRuntimeSchema = z.strictObject({
  role: shortText,
  dir: absolutePath,
  seed: z.optional(z.string()),
  agent: z.optional(shortText),
  model: z.optional(shortText),
  env: z.optional(environment),
  allow_dir: flag,
}) satisfies z.ZodMiniType<StartRuntimeJson>

export const answerSchema = z.strictObject({
  choice: upTo(64 * 1024),
  question: z.optional(z.int().check(z.positive())),
})
/** More than anybody presses before looking at the screen again. */
export const keysSchema = z.strictObject({
  keys: z.array(z.enum(BAR_KEYS)).check(z.minLength(1), z.maxLength(20)),
}) satisfies z.ZodMiniType<KeysJson>
/** Who has a prompt typed at once, and why. */
export const forceSchema = z.strictObject({
  operator: shortText,
  why: z.string().check(z.minLength(1), z.maxLength(500)),
}) satisfies z.ZodMiniType<ForceJson>
export const inputSchema = z.union([
  z.strictObject({
    prompt: z.string(),
    thread: z.optional(shortText),
    reason: z.optional(shortText),
    key: z.optional(shortText),
    force: z.optional(forceSchema),
  }),
  z.strictObject({ end: z.literal(true) }),
])
export const monitorSchema = z.strictObject({
  ids: z.array(upTo(200)).check(z.minLength(1), z.maxLength(1000)),
  any: flag,
  seen: z.optional(z.string()),
  wait_seconds: z.number().check(z.minimum(0), z.maximum(60)),
  until: z.optional(z.enum(['idle', 'ended'])),
  cursor: z.optional(shortText),
  ack: z.optional(z.int().check(z.nonnegative())),
}) satisfies z.ZodMiniType<MonitorAskJson>
export const heartbeatSchema = z.strictObject({
  status: z.optional(z.enum(['active', 'idle'])),
}) satisfies z.ZodMiniType<HeartbeatAskJson>
export const resultSchema = z.strictObject({ result: z.unknown() })
export const verifySchema = z.strictObject({ env: z.optional(environment) })
export const verifyStepSchema = z.strictObject({
  step: shortText,
  story: shortText,
  dir: absolutePath,
  state_file: z.optional(absolutePath),
  env: z.optional(environment),
  allow_dir: flag,
})
export const resumeSchema = z.strictObject({
  prompt: z.optional(z.string()),
  env: z.optional(environment),
}) satisfies z.ZodMiniType<ResumeJson>
export const retrySchema = z.strictObject({ env: z.optional(environment) })
export const killSchema = z.strictObject({ reason: z.optional(upTo(500)) })
/** For requests that need no body. */
export const nothingSchema = z.strictObject({})
export const killManySchema = z.strictObject({
  ids: z.optional(ids),
  project: z.optional(upTo(4096)),
  reason: z.optional(upTo(500)),
}) satisfies z.ZodMiniType<KillManyJson>
export const archiveSchema = z.union([
  z.strictObject({ ids }),
  z.strictObject({ older_than_seconds: z.number().check(z.minimum(0), z.maximum(LONGEST_AGE_SECONDS)) }),
]) satisfies z.ZodMiniType<ArchiveManyJson>
export const removeSchema = archiveSchema satisfies z.ZodMiniType<RemoveManyJson>
const key = z.optional(z.string().check(z.regex(/^[\w-]{1,100}$/)))
export const createThreadSchema = z.strictObject({
  title: upTo(2000),
  workspace: z.optional(upTo(4096)),
  members: z.optional(z.array(upTo(200)).check(z.maxLength(100))),
  key,
}) satisfies z.ZodMiniType<CreateThreadJson>
/** How long and of what a text may be is for the thread to say. */
export const postMessageSchema = z.strictObject({
  text: z.string(),
  kind: z.optional(z.enum(MESSAGE_KINDS)),
  refs: z.optional(z.array(z.string()).check(z.maxLength(1000))),
  key,
}) satisfies z.ZodMiniType<PostMessageJson>
export const readThreadSchema = z.strictObject({
  up_to: z.optional(z.int().check(z.nonnegative())),
  wait_seconds: z.optional(z.number().check(z.minimum(0), z.maximum(60))),
  limit: z.optional(z.int().check(z.positive(), z.maximum(200))),
}) satisfies z.ZodMiniType<ReadThreadJson>
export const continueThreadSchema = z.strictObject({
  why: z.optional(upTo(500)),
}) satisfies z.ZodMiniType<ContinueThreadJson>
export const trustSchema = z.strictObject({
  dir: absolutePath,
  files: z
    .array(z.strictObject({ file: absolutePath, sha256: z.string().check(z.length(64)) }))
    .check(z.minLength(1), z.maxLength(1000)),
})
export const channelSchema = z.strictObject({ channel: shortText })
export const dropEventSchema = z.strictObject({ event: shortText })
export const openWebSchema = z.strictObject({
  port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
  host: z.optional(shortText),
  allow_remote: flag,
}) satisfies z.ZodMiniType<OpenWebJson>
export const makeTokenSchema = z.strictObject({
  name: shortText,
  expires_in_seconds: z.optional(z.nullable(z.number().check(z.positive(), z.maximum(LONGEST_AGE_SECONDS)))),
}) satisfies z.ZodMiniType<MakeTokenJson>
export const workspaceSchema = z.strictObject({ path: absolutePath, slug: z.optional(shortText) })

export async function body<T>(c: Context, schema: z.ZodMiniType<T>): Promise<T> {
  const asked = bodyOf(c)
  const parsed = schema.safeParse(asked)
  if (parsed.success) return parsed.data
  throw new HoldfastError('INVALID_REQUEST', refusal(parsed.error.issues, asked))
}
