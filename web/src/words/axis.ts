// Owns the axis of a timeline. Time runs evenly on it, but a long stretch in which nothing runs is cut out, and a run that
// was too short to be seen is made as wide as can be seen. Pure.

/** A stretch of the axis. `from` and `to`: epoch ms. `left` and `right`: 0 is the beginning of the axis, 1 its end. */
export type Stretch = {
  readonly from: number
  readonly to: number
  readonly left: number
  readonly right: number
  /** It is drawn shorter than it was. */
  readonly isCut: boolean
}
export type Axis = readonly Stretch[]

type Span = { readonly from: number; readonly to: number }
type Piece = Span & { readonly isBusy: boolean }

/** The part of the axis that a cut takes, and that a run takes at least: fewer when there are many. */
const CUT = 0.055
const LEAST = 0.014
const MOST_FOR_CUTS = 0.3
const MOST_FOR_LEAST = 0.5
/**
 * A quiet stretch is cut when it is longer than a minute, and longer than 0.3 of the time in which something ran plus 0.03
 * of the whole time.
 */
const SHORTEST_CUT_MS = 60_000
const PART_OF_RUNNING = 0.3
const PART_OF_WHOLE = 0.03

/** `busy`: when something ran. They may overlap; `moments`: what must not lie in a cut. */
export function axisWith(whole: Span, busy: readonly Span[], moments: readonly number[] = []): Axis {
  const pieces = piecesOf(whole, busy, moments)
  const length = ({ from, to }: Span) => to - from
  const sum = (some: readonly Span[]) => some.reduce((total, one) => total + length(one), 0)
  const ran = sum(pieces.filter(({ isBusy }) => isBusy))
  const isLong = (piece: Piece) =>
    !piece.isBusy &&
    length(piece) > SHORTEST_CUT_MS &&
    length(piece) > PART_OF_RUNNING * ran + PART_OF_WHOLE * length(whole)
  const cuts = pieces.filter(isLong)
  const cutWidth = cuts.length === 0 ? 0 : Math.min(CUT, MOST_FOR_CUTS / cuts.length)
  const drawn = pieces.filter((piece) => !isLong(piece))
  const room = 1 - cuts.length * cutWidth
  const runs = drawn.filter(({ isBusy }) => isBusy)
  const least = runs.length === 0 ? 0 : Math.min(LEAST, MOST_FOR_LEAST / runs.length)
  // What is widened takes its width from what is wide anyway.
  const even = sum(drawn)
  const share = (piece: Span) => (even === 0 ? 0 : (length(piece) / even) * room)
  const isSmall = (piece: Piece) => piece.isBusy && share(piece) < least
  const small = drawn.filter(isSmall)
  const rest = sum(drawn) - sum(small)
  const restRoom = room - small.length * least
  const width = (piece: Piece) => {
    if (isLong(piece)) return cutWidth
    if (isSmall(piece)) return rest === 0 ? room / small.length : least
    return (length(piece) / rest) * restRoom
  }
  let left = 0
  return pieces.map((piece) => {
    const right = left + width(piece)
    const stretch = { from: piece.from, to: piece.to, left, right, isCut: isLong(piece) }
    left = right
    return stretch
  })
}

/** The axis in pieces in which all the time something runs, or nothing does. */
function piecesOf(whole: Span, busy: readonly Span[], moments: readonly number[]): Piece[] {
  const within = (at: number) => Math.min(Math.max(at, whole.from), whole.to)
  const bounds = [whole.from, whole.to, ...busy.flatMap(({ from, to }) => [from, to]), ...moments].map(within)
  const sorted = [...new Set(bounds)].sort((one, other) => one - other)
  const spans = [...busy].sort((one, other) => one.from - other.from)
  let open = 0
  let until = Number.NEGATIVE_INFINITY
  return sorted.slice(1).map((to, index) => {
    const from = sorted[index]!
    while (open < spans.length && spans[open]!.from <= from) {
      until = Math.max(until, spans[open]!.to)
      open += 1
    }
    return { from, to, isBusy: until >= to }
  })
}

/** Where a moment lies on the axis, from 0 to 1. */
export function placeOn(axis: Axis, at: number): number {
  const stretch = axis.find(({ to }) => at <= to) ?? axis.at(-1)
  if (stretch === undefined || at <= stretch.from) return stretch?.left ?? 0
  const { from, to, left, right } = stretch
  return at >= to ? right : left + ((at - from) / (to - from)) * (right - left)
}

/** Stretches that are drawn evenly, with those beside each other joined: where the axis can have round times. */
const evenParts = (axis: Axis): readonly Span[] => {
  const parts: Span[] = []
  for (const { from, to, isCut } of axis) {
    const last = parts.at(-1)
    if (isCut) continue
    if (last !== undefined && last.to === from) parts[parts.length - 1] = { from: last.from, to }
    else parts.push({ from, to })
  }
  return parts
}

const MINUTE = 60_000
const STEPS_MS = [1, 2, 5, 10, 15, 30]
  .map((seconds) => seconds * 1000)
  .concat([1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, 2880, 10080].map((minutes) => minutes * MINUTE))

/** Round moments, none of them nearer than `apart` (a part of the axis) to the one before; behind a cut stands its end. */
export function axisTimes(axis: Axis, apart: number): number[] {
  const times: number[] = []
  const add = (at: number) => {
    const last = times.at(-1)
    if (last === undefined || placeOn(axis, at) - placeOn(axis, last) >= apart) times.push(at)
  }
  for (const { from, to } of evenParts(axis)) {
    const width = placeOn(axis, to) - placeOn(axis, from)
    const most = Math.max(1, Math.floor(width / apart))
    const step = STEPS_MS.find((size) => (to - from) / size <= most) ?? (to - from) / most
    const first = Math.ceil(from / step) * step
    // The time behind a cut says more than the one before it.
    if (times.length > 1 && placeOn(axis, from) - placeOn(axis, times.at(-1)!) < apart) times.pop()
    if (times.length > 0 || first > to) add(from)
    for (let at = first; at <= to; at += step) add(at)
  }
  return times
}
