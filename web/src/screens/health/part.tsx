import type { ReactNode } from 'react'
import { Card } from '../../parts/card.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Copy } from '../../parts/copy.tsx'
import type { StateWord } from '../../words/state.ts'

/** One part of the installation: how it is, and when something is wrong, what helps. */
export const Part = ({
  name,
  state,
  says,
  facts,
  todo,
  children,
}: {
  readonly name: string
  readonly state: StateWord
  readonly says: ReactNode
  readonly facts: readonly (readonly [string, ReactNode])[]
  readonly todo?: { readonly what: string; readonly command?: string } | undefined
  readonly children?: ReactNode
}) => (
  <Card label={name} className="px-4 py-3.5">
    <div className="flex items-center gap-2.5">
      <h2 className="font-semibold">{name}</h2>
      <Chip {...state} />
    </div>
    <p className="mt-1.5">{says}</p>
    {facts.length > 0 && (
      <dl className="mt-2.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-sm">
        {facts.map(([what, value]) => (
          <div key={what} className="contents">
            <dt className="text-mut">{what}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    )}
    {todo !== undefined && (
      <div className="mt-3 rounded-md border border-amber/40 bg-amber/6 px-3 py-2 text-sm">
        <p>{todo.what}</p>
        {todo.command !== undefined && (
          <p className="mt-1.5">
            <Copy text={todo.command} />
          </p>
        )}
      </div>
    )}
    {children}
  </Card>
)
