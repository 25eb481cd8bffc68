// Owns the live, endless list of tasks for a filter.
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { call } from './call.ts'
import { listen } from './live.ts'
import { createRowPages, type RowList, type RowPages } from './row-pages.ts'

/** As in the address of the page. */
export type RowFilter = {
  readonly status?: string
  readonly tag?: string
  readonly project?: string
  readonly archived?: string
}

const ENDED_PER_PAGE = 500
/** In a burst of events the list is asked again at most this often. */
const PAUSE_MS = 700

export function useRows(filter: RowFilter): RowList & Pick<RowPages, 'see'> {
  const { status, tag, project, archived } = filter
  const pages = useMemo(
    () =>
      createRowPages((after, withTotals) =>
        call('GET /api/tasks/rows', {
          query: {
            status,
            tag,
            project,
            archived,
            after,
            limit: String(ENDED_PER_PAGE),
            totals: withTotals ? '1' : '0',
          },
        }),
      ),
    [status, tag, project, archived],
  )
  const list = useSyncExternalStore(pages.subscribe, pages.get)
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
  return { ...list, see: pages.see }
}
