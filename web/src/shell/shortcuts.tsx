// Owns the keys of the whole page, and the sheet that lists them. A screen adds its own with `useKeys`.

import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { createSignal, useSignal } from '../data/signal.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FIND_KEYS } from './find-keys.ts'
import { paletteOpen, showPalette } from './palette/palette-open.ts'
import { MAIN_PLACES, SIDE_PLACES } from './places.tsx'

const helpOpen = createSignal(false)
export const showHelp = (open: boolean) => helpOpen.set(open)

/** `onlyAsKey`: the palette does not offer it. */
type Key = { readonly what: string; readonly run: () => void; readonly onlyAsKey?: true }
export type Keys = Readonly<Record<string, Key>>

/** Keys of the screens that are shown, for the sheet and the palette. */
export const ofScreens = createSignal<readonly Keys[]>([])

/** Keys that work while the screen is shown and nobody types into a field. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    ofScreens.set([...ofScreens.get(), keys])
    const press = (event: KeyboardEvent) => {
      const key = isFree(event) ? keys[event.key] : undefined
      if (key === undefined) return
      event.preventDefault()
      key.run()
    }
    addEventListener('keydown', press)
    return () => {
      ofScreens.set(ofScreens.get().filter((other) => other !== keys))
      removeEventListener('keydown', press)
    }
  }, [keys])
}

/** How long after `g` its letter may come. */
const AFTER_G_MS = 1200

export function Shortcuts() {
  const [, go] = useLocation()
  useEffect(() => {
    let gAt = Number.NEGATIVE_INFINITY
    const press = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return showPalette(!paletteOpen.get())
      }
      if (!isFree(event)) return
      const afterG = event.timeStamp - gAt < AFTER_G_MS
      gAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const place = [...MAIN_PLACES, ...SIDE_PLACES].find(({ letter }) => letter === event.key)
      if (afterG && place !== undefined) return go(place.path)
      if (event.key === '?') showHelp(true)
      if (event.key === 'c') go('/new')
      if (event.key === '/') {
        event.preventDefault()
        showPalette(true)
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [go])
  return <HelpSheet />
}

function HelpSheet() {
  const screens = useSignal(ofScreens)
  return (
    <Dialog open={useSignal(helpOpen)} onClose={() => showHelp(false)} label="Keyboard shortcuts">
      <div className="p-5">
        <h2 className="font-semibold text-lg">Keyboard shortcuts</h2>
        <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5">
          <Line keys={FIND_KEYS} what="Find a task, go somewhere" />
          {[...MAIN_PLACES, ...SIDE_PLACES].map(({ letter, name }) => (
            <Line key={letter} keys={`g ${letter}`} what={name} />
          ))}
          <Line keys="c" what="New task" />
          <Line keys="?" what="This sheet" />
          {screens.flatMap((keys) =>
            Object.entries(keys).map(([key, { what }]) => <Line key={key} keys={key} what={what} />),
          )}
        </dl>
      </div>
    </Dialog>
  )
}

const Line = ({ keys, what }: { readonly keys: string; readonly what: string }) => (
  <>
    <dt>
      <kbd className="rounded-sm border border-line bg-soft px-1.5 py-0.5">{keys}</kbd>
    </dt>
    <dd>{what}</dd>
  </>
)

/** Not while somebody types, nor in a window above the page, nor with a key that the browser means. */
function isFree(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return false
  return target.closest('input, textarea, select, dialog, [contenteditable]') === null
}
