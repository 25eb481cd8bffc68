// Owns the live, endless list of tasks for a filter.
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { call, isUnanswered, Refused } from '../connection/call.ts'
import { listen, live } from '../connection/live.ts'
import { serverNow } from '../connection/server-clock.ts'
import type { Known } from '../held/resource.ts'
import { useSignal } from '../signal.ts'
import { createRowPages, type RowList, type RowPages } from './row-pages.ts'

/** As in the address of the page. */
export type RowFilter = {
  readonly status?: string
  readonly tag?: string
  readonly project?: string
  readonly agent?: string
  readonly archived?: string
}

const ENDED_PER_PAGE = 500
/** In a burst of events the list is asked again at most this often. */
const PAUSE_MS = 700
/** What was not answered is asked again after so long. */
const RETRY_MS = 3000

/** `list` has the rows as far as they were loaded; as a resource it is undefined until the first of them are there. */
export type Rows = { readonly list: RowList; readonly known: Known<RowList>; readonly see: RowPages['see'] }

export function useRows({ status, tag, project, agent, archived }: RowFilter): Rows {
  const pages = useMemo(
    () => pagesFor({ status, tag, project, agent, archived }),
    [status, tag, project, agent, archived],
  )
  const list = useSyncExternalStore(pages.subscribe, pages.get)
  const { state } = useSignal(live)
  const unanswered = isUnanswered(list.problem)
  useEffect(() => {
    pages.see(0, 0)
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        pages.changed()
      }, PAUSE_MS)
    }
    const stop = listen({ event: ({ task }) => task !== null && soon(), missed: soon })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [pages])
  useEffect(() => {
    if (!unanswered) return
    const timer = setInterval(() => !document.hidden && pages.changed(), RETRY_MS)
    return () => clearInterval(timer)
  }, [pages, unanswered])
  return {
    list,
    known: {
      value: list.totals === undefined ? undefined : list,
      asOf: pages.asOf(),
      stale: state === 'cut_off' || state === 'signed_out' || unanswered,
      refused: list.problem instanceof Refused ? list.problem : undefined,
    },
    see: pages.see,
  }
}

/** `asOf`: when a page was last answered, by the daemon's clock. */
function pagesFor(filter: RowFilter): RowPages & { readonly asOf: () => number | undefined } {
  let asOf: number | undefined
  const pages = createRowPages(async (after, withTotals) => {
    const query = { ...filter, after, limit: String(ENDED_PER_PAGE), totals: withTotals ? '1' : '0' }
    const page = await call('GET /api/tasks/rows', { query })
    asOf = serverNow()
    return page
  })
  return { ...pages, asOf: () => asOf }
}
