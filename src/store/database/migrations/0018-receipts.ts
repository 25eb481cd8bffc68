import type { Backend } from '../backends.ts'

/** Who of several receivers has a delivery, as JSON, which is compared. And no question about notices walks a whole table. */
export const receipts = ({ text }: Backend): readonly string[] => [
  `alter table deliveries add column taken ${text} not null default '[]'`,
  'create index notices_by_channel on notices (channel, at, id)',
  `create index deliveries_unsent on deliveries (channel, created_at, id) where state <> 'sent'`,
  'create index deliveries_settled on deliveries (settled_at) where settled_at is not null',
  'create index outbox_by_time on outbox (at)',
]
