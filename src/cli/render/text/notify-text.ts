// Owns the text of what people are told by channels: on a terminal of 80 columns, why something is not told is to be read.
import type { ChannelJson, NoticeJson } from '../../../protocol/json/notify-json.ts'
import { type Column, table } from '../print/table.ts'
import { localMinute, localSecond } from '../print/time.ts'
import { localTime } from './next-text.ts'

export const NO_CHANNELS = [
  'No channels are set up, so nobody is told anything: docs/notifications.md shows how.',
  'One that you have just set up counts after `holdfast down && holdfast up`.',
]

const ofChannels: readonly Column<ChannelJson>[] = [
  { title: 'CHANNEL', of: ({ name }) => name, least: 'whole', rank: 6 },
  { title: 'TYPE', of: ({ type }) => type, least: 4, rank: 5 },
  { title: 'ANSWERS', of: ({ can_answer }) => (can_answer ? 'yes' : '-'), least: 7, rank: 1 },
  { title: 'WAITING', of: ({ waiting }) => String(waiting), least: 7, rank: 2 },
  { title: 'SET ASIDE', of: ({ set_aside }) => String(set_aside), least: 9, rank: 4 },
  {
    title: 'LAST SENT',
    of: ({ last_sent_at }) => (last_sent_at === null ? '-' : localMinute(last_sent_at)),
    least: 16,
    rank: 0,
  },
  { title: 'PROBLEM', of: ({ problem, last_error }) => problem ?? last_error ?? '-', least: 30, rank: 3 },
]

export function channelLines(channels: readonly ChannelJson[], width: number): readonly string[] {
  if (channels.length === 0) return NO_CHANNELS
  const rows = table(ofChannels, channels, width)
  return channels.some(({ set_aside }) => set_aside > 0)
    ? [...rows, '', 'What was set aside is tried again with `holdfast notify retry <channel>`']
    : rows
}

const ofNotices = (now: number): readonly Column<NoticeJson>[] => [
  { title: 'TIME', of: ({ at }) => localSecond(at).slice(5), least: 14, rank: 3 },
  { title: 'CHANNEL', of: ({ channel }) => channel, least: 6, rank: 4 },
  { title: 'STATE', of: ({ state }) => state, least: 'whole', rank: 5 },
  { title: 'TRIES', of: ({ tries }) => String(tries), least: 5, rank: 0 },
  { title: 'NOTICE', of: ({ title }) => title, least: 16, rank: 1 },
  { title: 'WHY', of: (notice) => whyText(notice, now), least: 24, rank: 2 },
]

/** When it is tried again comes first: it is not cut off. */
function whyText({ state, tries, next_at, why }: NoticeJson, now: number): string {
  if (state !== 'waiting' || tries === 0 || next_at === null) return why ?? '-'
  return `again ${localTime(next_at, now)}: ${why ?? ''}`
}

export const noticeLogLines = (notices: readonly NoticeJson[], width: number, now: number) =>
  table(ofNotices(now), notices, width)
