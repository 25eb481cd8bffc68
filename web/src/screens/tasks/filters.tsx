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
    archived: get('archived') === '1' ? '1' : undefined,
    text: get('q') ?? '',
    view,
    set,
  }
}
export type Filters = ReturnType<typeof useFilters>

export const FilterBar = ({ filters }: { readonly filters: Filters }) => (
  <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
    <fieldset className="flex flex-wrap gap-1" aria-label="State">
      {STATES.map(({ name, status }) => (
        <Choice key={name} chosen={filters.status === status} onChoose={() => filters.set('status', status)}>
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
    <Field name="Find in titles" value={filters.text} onChange={(value) => filters.set('q', value)} />
    <Field name="Tag" value={filters.tag ?? ''} onChange={(value) => filters.set('tag', value)} narrow />
    <fieldset className="ml-auto flex gap-1" aria-label="View">
      <Choice chosen={filters.view === 'table'} onChoose={() => filters.set('view', undefined)}>
        Table
      </Choice>
      <Choice chosen={filters.view === 'board'} onChoose={() => filters.set('view', 'board')}>
        Board
      </Choice>
    </fieldset>
  </div>
)

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
      narrow ? 'w-24' : 'w-48',
    )}
  />
)
