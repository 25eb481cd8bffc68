import { iso } from '../../domain/task/session-record.ts'
import type { TmuxOutageJson } from '../../protocol/json/daemon-json.ts'
import type { OutageSeen } from '../../supervisor/desk.ts'

export const outageJson = ({ health, why, since, pid, retryAt, waiting }: OutageSeen): TmuxOutageJson => ({
  state: health,
  why,
  since: iso(since),
  pid,
  retry_at: retryAt === null ? null : iso(retryAt),
  waiting: [...waiting],
})
