// Owns times on screen: they go by the daemon's clock, and tick.
import { useServerNow } from '../data/screen/now.ts'
import { ago, clockTime, dayOf, isSameDay, span, until, withReadableTimes } from '../words/time.ts'

type At = { readonly at: number }

const Time = ({ at, children }: At & { readonly children: string }) => (
  <time
    dateTime={new Date(at).toISOString()}
    title={new Date(at).toLocaleString('en-GB')}
    className="whitespace-nowrap"
  >
    {children}
  </time>
)

/** `2 min ago`. */
export function Ago({ at }: At) {
  const now = useServerNow()
  return <Time at={at}>{now === undefined ? clockTime(at, at) : ago(at, now)}</Time>
}

/** `2 min`: how long since, or how long it took. */
export function Lasting({ at, to }: At & { readonly to?: number | null }) {
  const now = useServerNow()
  const end = to ?? now
  return <Time at={at}>{end === undefined ? '' : span(end - at)}</Time>
}

/** `at 15:00, in 42 min`. */
export function Until({ at }: At) {
  const now = useServerNow()
  return <Time at={at}>{now === undefined ? clockTime(at, at) : until(at, now)}</Time>
}

/** `goes on 15:00`, on another day `goes on Nov 26`: for places that are too narrow for more. */
export function GoesOn({ at }: At) {
  const now = useServerNow() ?? at
  const when = isSameDay(at, now) ? clockTime(at, now) : dayOf(at, now)
  return <Time at={at}>{`goes on ${at < now ? 'soon' : when}`}</Time>
}

/** A sentence of the daemon or of an agent, with its times as people read them. */
export function Sentence({ words }: { readonly words: string }) {
  const now = useServerNow()
  return now === undefined ? words : withReadableTimes(words, now)
}

/** `14:03`, with the day when it is another one. */
export function At({ at, seconds }: At & { readonly seconds?: boolean }) {
  const now = useServerNow()
  return <Time at={at}>{clockTime(at, now ?? at, seconds)}</Time>
}
