// Owns the long list of tasks as pages: loaded when they come into view, asked again when something changed since. Each
// page has one question under way at most, so that an older answer never overwrites a newer one.
import type { TaskRowJson, TaskRowsJson, TotalsJson } from '../../../../src/protocol/json/task-json.ts'

export type AskPage = (after: string | undefined, withTotals: boolean) => Promise<TaskRowsJson>

export type RowList = {
  /** Every task once, in the daemon's order, as far as it was loaded. */
  readonly rows: readonly TaskRowJson[]
  readonly totals: TotalsJson | undefined
  /** True when no page follows. */
  readonly whole: boolean
  readonly problem: unknown
}

type Page = {
  after: string | undefined
  rows: readonly TaskRowJson[]
  next: string | null
  change: number
  busy: boolean
}

export type RowPages = {
  readonly get: () => RowList
  readonly subscribe: (listener: () => void) => () => void
  /** Asks for what is missing or out of date up to this row; `all` leaves nothing out. */
  readonly see: (from: number, to: number) => void
  /** Something changed: what is seen next is asked again. */
  readonly changed: () => void
}

export function createRowPages(ask: AskPage): RowPages {
  const pages: Page[] = [emptyPage(undefined)]
  const listeners = new Set<() => void>()
  let change = 0
  let totals: TotalsJson | undefined
  let problem: unknown
  let list: RowList = { rows: [], totals: undefined, whole: false, problem: undefined }
  let seen = { from: 0, to: 0 }

  const load = async (page: Page) => {
    if (page.busy) return
    page.busy = true
    const asked = change
    try {
      const part = await ask(page.after, page.after === undefined)
      if (isCutOff(page)) return
      page.rows = part.rows
      page.next = part.next
      page.change = asked
      totals = part.totals ?? totals
      problem = undefined
      followBy(page)
    } catch (error) {
      if (isCutOff(page)) return
      problem = error
    }
    page.busy = false
    list = { rows: flattened(pages), totals, whole: isWhole(), problem }
    for (const listener of listeners) listener()
    if (problem === undefined) lookAgain()
  }

  /** While it was under way, an earlier page had another end: what it tells stands elsewhere now. */
  const isCutOff = (page: Page) => !pages.includes(page)

  /** The page after this one begins where this one ends now. */
  const followBy = (page: Page) => {
    const { next } = page
    const index = pages.indexOf(page)
    const following = pages[index + 1]
    if (next === null) pages.length = index + 1
    else if (following === undefined) pages.push(emptyPage(next))
    else if (following.after !== next)
      pages[index + 1] = { ...following, after: next, change: -1, busy: false }
  }
  const isWhole = () => pages.every((page) => page.change >= 0) && pages.at(-1)?.next === null

  const lookAgain = () => {
    let first = 0
    for (const page of pages) {
      const end = first + page.rows.length
      const isSeen = page.rows.length === 0 ? first <= seen.to : first <= seen.to && end >= seen.from
      // The first page has the totals and what is new: it is always kept up to date.
      if ((isSeen || page.after === undefined) && page.change < change) void load(page)
      first = end
    }
  }

  return {
    get: () => list,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    see: (from, to) => {
      seen = { from, to }
      lookAgain()
    },
    changed: () => {
      change += 1
      lookAgain()
    },
  }
}

const emptyPage = (after: string | undefined): Page => ({
  after,
  rows: [],
  next: null,
  change: -1,
  busy: false,
})

/** A task that moved may stand in two pages until both were asked again: the newer answer counts. */
function flattened(pages: readonly Page[]): TaskRowJson[] {
  const newest = new Map<string, number>()
  for (const [index, page] of pages.entries())
    for (const { session_id: id } of page.rows) {
      const known = newest.get(id)
      if (known === undefined || page.change > pages[known]!.change) newest.set(id, index)
    }
  return pages.flatMap((page, index) => page.rows.filter(({ session_id: id }) => newest.get(id) === index))
}
