// Owns the filters of the list: they stand in the address, so that a view can be kept and shared.
import { useSearchParams } from 'wouter'
import { classes } from '../../parts/classes.ts'
import { STATES } from './states.ts'

export type View = 'table' | 'board'

/** What the address says. */
export function useFilters() {
  const [search, setSearch] = useSearchParams()
  const get = (name: string) => search.get(name) ?? undefined
  const set = (name: string, value: string | undefined) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === undefined || value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const view: View = get('view') === 'board' ? 'board' : 'table'
  return {
    status: get('status'),
    tag: get('tag'),
    project: get('project'),
    agent: get('agent'),
    /** A column, with `-` before it from its largest to its smallest. */
    sort: get('sort'),
    archived: get('archived') === '1' ? '1' : undefined,
    text: get('q') ?? '',
    view,
    set,
  }
}
export type Filters = ReturnType<typeof useFilters>

/** `projects` and `agents`: what can be chosen from. `count`: what was found, in words. */
export const FilterBar = ({
  filters,
  projects,
  agents,
  count,
}: {
  readonly filters: Filters
  readonly projects: readonly string[]
  readonly agents: readonly string[]
  readonly count: string
}) => (
  <div className="flex flex-col gap-2.5">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <fieldset className="flex flex-wrap gap-1" aria-label="State">
        {STATES.map(({ name, status }) => (
          <Choice
            key={name}
            chosen={filters.status === status}
            onChoose={() => filters.set('status', status)}
          >
            {name}
          </Choice>
        ))}
        <Choice
          chosen={filters.archived === '1'}
          onChoose={() => filters.set('archived', filters.archived === '1' ? undefined : '1')}
        >
          Archive
        </Choice>
      </fieldset>
      <fieldset className="ml-auto flex gap-1" aria-label="View">
        <Choice chosen={filters.view === 'table'} onChoose={() => filters.set('view', undefined)}>
          Table
        </Choice>
        <Choice chosen={filters.view === 'board'} onChoose={() => filters.set('view', 'board')}>
          Board
        </Choice>
      </fieldset>
    </div>
    <div className="flex flex-wrap items-center gap-2">
      <Field name="Find in titles" value={filters.text} onChange={(value) => filters.set('q', value)} />
      <Pick
        name="Project"
        chosen={filters.project}
        among={projects}
        words={lastPart}
        onPick={(value) => filters.set('project', value)}
      />
      <Pick
        name="Agent"
        chosen={filters.agent}
        among={agents}
        words={(agent) => agent}
        onPick={(value) => filters.set('agent', value)}
      />
      <Field name="Tag" value={filters.tag ?? ''} onChange={(value) => filters.set('tag', value)} narrow />
      <p role="status" className="ml-auto min-h-5 text-mut text-sm">
        {count}
      </p>
    </div>
  </div>
)

export const lastPart = (path: string) => path.split('/').at(-1) || path

/** What the address names can be chosen, also where nothing of it is loaded. */
function Pick({
  name,
  chosen,
  among,
  words,
  onPick,
}: {
  readonly name: string
  readonly chosen: string | undefined
  readonly among: readonly string[]
  readonly words: (value: string) => string
  readonly onPick: (value: string) => void
}) {
  const all = [...new Set([...among, ...(chosen === undefined ? [] : [chosen])])].sort()
  return (
    <select
      aria-label={name}
      value={chosen ?? ''}
      onChange={(event) => onPick(event.target.value)}
      className={classes(
        'max-w-44 rounded-md border bg-panel px-2 py-1 text-sm',
        chosen === undefined ? 'border-line text-mut' : 'border-accent font-semibold text-ink',
      )}
    >
      <option value="">{name}</option>
      {all.map((value) => (
        <option key={value} value={value} title={value}>
          {words(value)}
        </option>
      ))}
    </select>
  )
}

const Choice = ({
  chosen,
  onChoose,
  children,
}: {
  readonly chosen: boolean
  readonly onChoose: () => void
  readonly children: string
}) => (
  <button
    type="button"
    aria-pressed={chosen}
    onClick={onChoose}
    className={classes(
      'rounded-full border px-2.5 py-0.5 text-sm',
      chosen ? 'border-accent bg-accent/10 font-semibold text-ink' : 'border-line text-mut hover:border-edge',
    )}
  >
    {children}
  </button>
)

const Field = ({
  name,
  value,
  onChange,
  narrow = false,
}: {
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly narrow?: boolean
}) => (
  <input
    type="search"
    aria-label={name}
    placeholder={name}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    className={classes(
      'rounded-md border border-line bg-panel px-2.5 py-1 text-sm placeholder:text-mut',
      narrow ? 'w-24' : 'w-64 max-md:w-full',
    )}
  />
)
