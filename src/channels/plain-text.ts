// Owns what is told as plain text, for channels without a form of their own.
import type { Told, ToldNotice } from '../ports/channel.ts'

export const MOST_SHOWN = 20

/** Several as a list, each with its text; at most so many letters. */
export function plainText({ notices }: Pick<Told, 'notices'>, most: number): string {
  const [first, ...others] = notices
  if (first !== undefined && others.length === 0) return cut(first.text, most)
  const shown = notices.slice(0, MOST_SHOWN).map(partOf)
  const left = notices.length - shown.length
  return cut([...shown, ...(left > 0 ? [`and ${left} more`] : [])].join('\n\n'), most)
}

/** One of several. Its first line is its title. */
export const partOf = ({ title, text }: ToldNotice, at: number) => `${at + 1}. ${title}\n${text}`

export const cut = (text: string, most: number) => {
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}

/** For receivers that count as strings of this language do. A letter is never cut in two. */
export const cutUnits = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text

/** For receivers that count bytes. A letter is never cut in two. */
export function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text
  const bytes = Buffer.from(text).subarray(0, Math.max(0, most - Buffer.byteLength('…')))
  return `${new TextDecoder().decode(bytes, { stream: true })}…`
}
