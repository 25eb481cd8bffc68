import type { Backend } from '../backends.ts'

/** What an agent last said about itself, and when: of a run, and of a runtime whichever run it has. What parents are told of a child is found by the child. */
export const heartbeats = ({ int, text }: Backend): readonly string[] => [
  `alter table runs add column heartbeat_at ${int}`,
  `alter table runs add column heartbeat_status ${text}`,
  `alter table runtimes add column last_heartbeat_status ${text}`,
  'create index outbox_by_child on outbox (child_id, what)',
]
