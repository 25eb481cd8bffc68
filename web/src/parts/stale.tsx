// Owns how old news looks: dimmed and badged, never blanked.
import type { ReactNode } from 'react'
import type { Known } from '../data/held/resource.ts'
import { Ago } from './age.tsx'
import { classes } from './classes.ts'
import { Problem } from './problem.tsx'

const DIM = 'opacity-60 saturate-50'

/** Shows what is known of a resource; before the first answer `loading`, which keeps the layout. */
export function Stale<Value>({
  of: { value, asOf, stale, refused },
  children,
  loading,
}: {
  readonly of: Known<Value>
  readonly children: (value: Value) => ReactNode
  readonly loading?: ReactNode
}) {
  if (value === undefined)
    return refused === undefined ? (loading ?? <Skeleton />) : <Problem refused={refused} />
  return (
    <div className="relative">
      {stale && asOf !== undefined && (
        <p className="absolute -top-2 right-3 z-10">
          <span className="chip tone-amber bg-panel ring-1 ring-amber/40">
            last heard <Ago at={asOf} />
          </span>
        </p>
      )}
      {!stale && refused !== undefined && <Problem refused={refused} />}
      <div data-stale={stale || undefined} className={classes('flex flex-col gap-6', stale && DIM)}>
        {children(value)}
      </div>
    </div>
  )
}

/** For what stands elsewhere than the rest of its resource. */
export const Dimmed = ({ is, children }: { readonly is: boolean; readonly children: ReactNode }) => (
  <span className={is ? DIM : ''} data-stale={is || undefined}>
    {children}
  </span>
)

/** Where an answer is awaited. */
export const Skeleton = ({ rows = 3 }: { readonly rows?: number }) => (
  <div aria-busy="true" className="pulse-soft rounded-lg border border-line bg-panel">
    {Array.from({ length: rows }, (_, index) => index).map((index) => (
      <div key={index} className="flex gap-4 border-line border-t px-4 py-4 first:border-t-0">
        <span className="h-4 w-16 rounded-full bg-soft" />
        <span className="h-4 w-1/3 rounded-full bg-soft" />
      </div>
    ))}
  </div>
)
