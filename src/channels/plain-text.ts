// Owns what is told as plain text, for channels without a form of their own.
import { lineOf } from '../domain/notify/notice.ts'
import { cutTo } from '../domain/text/sized-text.ts'
import type { ChannelMessage, NoticeToSend } from '../ports/channel.ts'

/** One without its title, which stands elsewhere; several as a list. */
export function plainText({ notices }: Pick<ChannelMessage, 'notices'>): string {
  const [first, ...others] = notices
  if (first !== undefined && others.length === 0) return first.text
  return notices.map((notice, place) => `${place + 1}. ${shown(notice)}`).join('\n\n')
}

/** Its first line is its title. */
export const shown = (notice: NoticeToSend) =>
  notice.isBrief ? lineOf(notice) : `${notice.title}\n${notice.text}`

export const cut = (text: string, most: number) => cutTo(text, most, 'letters')
