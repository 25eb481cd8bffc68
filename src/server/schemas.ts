// Owns what requests may look like. Unknown fields are refused: a typo must not be taken for a default.
import type { Context } from 'hono'
import { z } from 'zod'
import { HoldfastError } from '../domain/errors.ts'
import { PERMISSIONS } from '../domain/permission.ts'
import type { CreateTaskJson } from '../protocol/api.ts'
import type { MonitorAskJson } from '../protocol/monitor-json.ts'
import type { ResumeJson } from '../protocol/recovery-json.ts'

const shortText = z.string().min(1).max(200)

export const createTaskSchema = z.strictObject({
  prompt: z.string(),
  dir: z.string().startsWith('/').max(4096),
  agent: shortText.optional(),
  role: shortText.optional(),
  model: shortText.optional(),
  name: shortText.optional(),
  mode: z.enum(['headless', 'interactive']).optional(),
  converse: z.boolean().optional(),
  permissions: z.enum(PERMISSIONS).optional(),
  extra_dirs: z.array(z.string().startsWith('/').max(4096)).max(20).optional(),
  priority: z.enum(['low', 'normal', 'high']).optional(),
  tags: z.array(shortText).max(50).optional(),
  meta: z.record(z.string().min(1).max(100), z.string().max(2000)).optional(),
  env: z.record(z.string(), z.string()).optional(),
  set_env: z.record(z.string(), z.string()).optional(),
  command: z.enum(['create', 'run']).optional(),
  max_duration_seconds: z
    .number()
    .positive()
    .max(366 * 86_400)
    .nullable()
    .optional(),
  verify: z.array(z.unknown()).max(100).nullable().optional(),
  no_queue: z.boolean().optional(),
  allow_dir: z.boolean().optional(),
}) satisfies z.ZodType<CreateTaskJson>

export const answerSchema = z.strictObject({
  choice: z.string().max(64 * 1024),
  question: z.number().int().positive().optional(),
})
export const inputSchema = z.union([
  z.strictObject({ prompt: z.string() }),
  z.strictObject({ end: z.literal(true) }),
])
export const monitorSchema = z.strictObject({
  ids: z.array(z.string().max(200)).min(1).max(1000),
  any: z.boolean().optional(),
  seen: z.string().optional(),
  wait_seconds: z.number().min(0).max(60),
  cursor: shortText.optional(),
  ack: z.number().int().nonnegative().optional(),
}) satisfies z.ZodType<MonitorAskJson>
const env = z.record(z.string(), z.string()).optional()
export const verifySchema = z.strictObject({ env })
export const verifyStepSchema = z.strictObject({
  step: shortText,
  story: shortText,
  dir: z.string().startsWith('/').max(4096),
  state_file: z.string().startsWith('/').max(4096).optional(),
  env,
  allow_dir: z.boolean().optional(),
})
const environment = z.record(z.string(), z.string()).optional()
export const resumeSchema = z.strictObject({
  prompt: z.string().optional(),
  env: environment,
}) satisfies z.ZodType<ResumeJson>
export const retrySchema = z.strictObject({ env: environment })
export const killSchema = z.strictObject({ reason: z.string().max(500).optional() })
export const archiveSchema = z.strictObject({ older_than_seconds: z.number().min(0) })
export const trustSchema = z.strictObject({
  dir: z.string().startsWith('/').max(4096),
  files: z
    .array(z.strictObject({ file: z.string().startsWith('/').max(4096), sha256: z.string().length(64) }))
    .min(1)
    .max(1000),
})
export const workspaceSchema = z.strictObject({
  path: z.string().startsWith('/').max(4096),
  slug: shortText.optional(),
})

export async function body<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const text = await c.req.text()
  const parsed = schema.safeParse(text === '' ? {} : parseJson(text))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const where = issue.path.length === 0 ? 'The request' : `'${issue.path.join('.')}'`
  throw new HoldfastError('INVALID_REQUEST', `${where}: ${issue.message}.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HoldfastError('INVALID_REQUEST', 'The request is not JSON.', { cause })
  }
}
