// Owns the keys that a screen keyboard does not have. Each press is a person's own act, and is in the audit.
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, CornerDownLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BarKey } from '../../../../../src/domain/conversation/bar-keys.ts'
import { refresh } from '../../../data/held/resource.ts'
import { pressKey } from '../../../data/orders/orders.ts'
import { useOrder } from '../../../data/orders/use-order.ts'
import { Problem } from '../../../parts/problem.tsx'

const KEYS: readonly { readonly key: BarKey; readonly name: string; readonly shows: ReactNode }[] = [
  { key: 'Escape', name: 'Esc', shows: 'Esc' },
  { key: 'Tab', name: 'Tab', shows: 'Tab' },
  { key: 'Up', name: 'Up', shows: <ArrowUp size={16} aria-hidden="true" /> },
  { key: 'Down', name: 'Down', shows: <ArrowDown size={16} aria-hidden="true" /> },
  { key: 'Left', name: 'Left', shows: <ArrowLeft size={16} aria-hidden="true" /> },
  { key: 'Right', name: 'Right', shows: <ArrowRight size={16} aria-hidden="true" /> },
  { key: 'C-c', name: 'Control C', shows: '^C' },
  { key: 'Enter', name: 'Enter', shows: <CornerDownLeft size={16} aria-hidden="true" /> },
]

export function KeyBar({ id }: { readonly id: string }) {
  const press = useOrder(pressKey)
  const pressed = async (key: BarKey) => {
    await press.give(id, key)
    refresh(['task', id, 'screen'])
  }
  return (
    <div className="mt-2 bg-panel max-md:sticky max-md:bottom-14 max-md:py-2">
      <div role="toolbar" aria-label="Keys for the agent's terminal" className="grid grid-cols-8 gap-1.5">
        {KEYS.map(({ key, name, shows }) => (
          <button
            key={key}
            type="button"
            aria-label={`Press ${name}`}
            disabled={press.busy}
            onClick={() => void pressed(key)}
            className="flex min-h-11 items-center justify-center rounded-md border border-edge bg-panel font-mono text-sm active:bg-soft disabled:opacity-60 md:min-h-8"
          >
            {shows}
          </button>
        ))}
      </div>
      {press.refused !== undefined && (
        <div className="mt-2">
          <Problem refused={press.refused} />
        </div>
      )}
    </div>
  )
}
