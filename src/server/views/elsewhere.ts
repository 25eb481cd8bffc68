import type { Elsewhere } from '../../domain/task/elsewhere.ts'
import { isoOrNull } from '../../domain/task/session-record.ts'
import type { ElsewhereJson } from '../../protocol/json/daemon-json.ts'

export const elsewhereJson = (elsewhere: Elsewhere | null): ElsewhereJson | null =>
  elsewhere && {
    node_id: elsewhere.nodeId,
    host: elsewhere.host,
    silent_since: isoOrNull(elsewhere.silentSince),
  }
