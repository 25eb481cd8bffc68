import * as z from 'zod/mini'
import type { ElsewhereJson } from '../../../protocol/json/daemon-json.ts'
import { named, orNull, time } from './named.ts'

export const elsewhere = named(
  'ElsewhereJson',
  z.object({ node_id: z.string(), host: z.string(), silent_since: orNull(time) }),
) satisfies z.ZodMiniType<ElsewhereJson>
