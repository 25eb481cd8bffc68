import { Plus, Search } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import { useHealth } from '../data/installation/health.ts'
import { FIND_KEYS } from './find-keys.ts'
import { showPalette } from './palette/palette-open.ts'

/** The frame of a screen: its title, what can be done, its content. `above`: where it belongs. */
export function Screen({
  title,
  above,
  mark,
  actions,
  children,
  wide = false,
}: {
  readonly title: string
  readonly above?: ReactNode
  readonly mark?: ReactNode
  /** Instead of the search field and "New task". */
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly wide?: boolean
}) {
  useTitle(title)
  return (
    <main
      className={`mx-auto w-full min-w-0 flex-1 px-7.5 pt-5.5 pb-16 max-md:px-3.5 max-md:pt-4 max-md:pb-24 ${wide ? '' : 'max-w-295'} md:mx-0`}
    >
      <header className="mb-4.5 flex flex-wrap items-center gap-x-4 gap-y-2.5">
        <div className="min-w-0">
          {above !== undefined && <p className="text-mut text-sm">{above}</p>}
          <h1 className="flex flex-wrap items-center gap-x-2.5 font-semibold text-xl tracking-tight">
            <span className="min-w-0">{title}</span>
            {mark}
          </h1>
        </div>
        <div className="ml-auto flex flex-wrap items-center gap-2">{actions ?? <CommonActions />}</div>
      </header>
      <div className="flex flex-col gap-6">{children}</div>
    </main>
  )
}

const CommonActions = () => (
  <>
    <button
      type="button"
      aria-label="Find a task, go somewhere"
      onClick={() => showPalette(true)}
      className="flex min-h-9 min-w-10 items-center justify-center rounded-md border border-line bg-panel text-mut md:hidden"
    >
      <Search size={16} aria-hidden="true" />
    </button>
    <button
      type="button"
      onClick={() => showPalette(true)}
      className="flex w-90 items-center gap-2 rounded-md border border-line bg-panel px-3 py-1.5 text-left text-mut hover:border-edge max-lg:w-60 max-md:hidden"
    >
      <Search size={14} aria-hidden="true" />
      <span className="flex-1 truncate">Find a task, go somewhere</span>
      <kbd className="rounded-sm border border-line px-1.5 text-xs">{FIND_KEYS}</kbd>
    </button>
    <Link
      href="/new"
      className="inline-flex items-center gap-1.5 rounded-md border border-accent bg-accent px-3 py-1.5 font-semibold text-on-accent hover:brightness-95"
    >
      <Plus size={15} aria-hidden="true" /> New task
    </Link>
  </>
)

/** The tab says how many wait for a person, for as long as that is known. */
function useTitle(title: string): void {
  const health = useHealth()
  const waiting = health.stale ? undefined : health.value?.stats.waiting_input
  useEffect(() => {
    document.title = `${waiting ? `(${waiting}) ` : ''}${title} · Holdfast`
  }, [title, waiting])
}
