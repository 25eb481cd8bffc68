// Owns the first line: how many sessions there are of each kind, and how true the board is.
import { elapsed } from '../../render/print/time.ts'
import { type Link, SILENT_AFTER_MS } from '../feed/feed.ts'
import type { BoardModel } from '../model/board-model.ts'
import { type Line, lineCells, type Span } from '../screen/lines.ts'

export type Truth = {
  readonly link: Link
  readonly silentMs: number
  /** Why the daemon cannot answer, though it is there, and for how long. */
  readonly trouble: string | null
  /** Why no terminal can be opened. */
  readonly outage: string | null
}

/** What is shown may be out of date. Until the first stream is there, the first answer is the last word. */
export const isStale = ({ link, silentMs, trouble }: Omit<Truth, 'outage'>) =>
  link.kind === 'lost' || link.kind === 'stopped' || trouble !== null || silentMs >= SILENT_AFTER_MS

export function headerLine(model: BoardModel, truth: Truth, width: number): Line {
  const needs = model.count('needs_you')
  const needsYou: Span = {
    text: `${needs} ${needs === 1 ? 'needs' : 'need'} you`,
    style: needs > 0 ? 'needs_you' : 'dim',
  }
  const others = [
    `${model.count('at_work')} at work`,
    `${model.count('waiting')} waiting`,
    `${model.ended} done`,
  ]
  const numbers = (count: number): Line => [
    { text: ' holdfast  ', style: 'title' },
    needsYou,
    {
      text: others
        .slice(0, count)
        .map((one) => ` · ${one}`)
        .join(''),
    },
  ]
  const left = numbers(others.length)
  const right = truthSpan(truth)
  const gap = width - lineCells(left) - lineCells([right]) - 1
  if (gap > 0) return [...left, { text: ' '.repeat(gap) }, right]
  // On a narrow screen the truth goes first: numbers may be left out, a warning may not.
  if (isStale(truth)) return [{ text: ' ' }, right]
  if (truth.outage !== null) return [{ text: ' ' }, needsYou, { text: ' · ' }, right]
  // A number that is cut would be another number.
  const fitting = others.findLastIndex((_, at) => lineCells(numbers(at + 1)) <= width)
  return numbers(fitting + 1)
}

function truthSpan({ link, silentMs, trouble, outage }: Truth): Span {
  const lastWord = `last word ${elapsed(silentMs / 1000)} ago`
  if (link.kind === 'stopped') return { text: `daemon stopped (holdfast up), ${lastWord}`, style: 'yellow' }
  if (trouble !== null) return { text: trouble, style: 'yellow' }
  if (link.kind === 'lost') return { text: `reconnecting, ${lastWord}`, style: 'yellow' }
  if (silentMs >= SILENT_AFTER_MS) return { text: `the daemon is silent, ${lastWord}`, style: 'yellow' }
  if (outage !== null) return { text: outage, style: 'yellow' }
  return link.kind === 'live' ? { text: 'live', style: 'green' } : { text: 'connecting', style: 'dim' }
}
