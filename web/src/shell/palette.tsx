// Owns the command palette: every place, and tasks by a few letters.
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { TaskRowJson } from '../../../src/protocol/json/task-json.ts'
import { useSignal } from '../data/signal.ts'
import { useNamedTasks } from '../data/tasks/tasks.ts'
import { Chip } from '../parts/chip.tsx'
import { classes } from '../parts/classes.ts'
import { Dialog } from '../parts/dialog.tsx'
import { type StateWord, stateWord } from '../words/state.ts'
import { paletteOpen, showPalette } from './palette-open.ts'
import { MAIN_PLACES, SIDE_PLACES } from './places.tsx'
import { showHelp } from './shortcuts.tsx'
import { chooseTheme } from './theme.ts'

type Entry = {
  readonly id: string
  readonly words: string
  readonly note?: string
  readonly state?: StateWord
  readonly run: () => void
}

export const Palette = () => (
  <Dialog open={useSignal(paletteOpen)} onClose={() => showPalette(false)} label="Find a task, go somewhere">
    <Finder />
  </Dialog>
)

const MOST_SHOWN = 9

function Finder() {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const tasks = useNamedTasks().value
  const entries = useEntries(tasks?.rows)
  const found = useMemo(() => matching(entries, text).slice(0, MOST_SHOWN), [entries, text])
  const run = (entry: Entry | undefined) => {
    showPalette(false)
    entry?.run()
  }
  const press = (key: string) => {
    if (key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1))
    if (key === 'ArrowUp') setAt(Math.max(at - 1, 0))
    if (key === 'Enter') run(found[at])
    return key === 'ArrowDown' || key === 'ArrowUp'
  }
  return (
    <>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={found[at] === undefined ? undefined : `found-${at}`}
        aria-label="Find a task, go somewhere"
        placeholder="Find a task, go somewhere"
        // biome-ignore lint/a11y/noAutofocus: it was opened to type into.
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={(event) => press(event.key) && event.preventDefault()}
        className="w-full border-line border-b bg-transparent px-4 py-3 text-lg outline-none placeholder:text-mut"
      />
      <div role="listbox" id="found" aria-label="Found" className="max-h-[50vh] overflow-auto p-1.5">
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled in the field above.
          <div
            key={entry.id}
            id={`found-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => run(entry)}
            onPointerMove={() => setAt(index)}
            className={classes(
              'flex cursor-pointer items-center gap-3 rounded-md px-3 py-2',
              index === at && 'bg-soft',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{entry.words}</span>
            {entry.note !== undefined && <span className="text-mut text-xs">{entry.note}</span>}
            {entry.state !== undefined && <Chip {...entry.state} />}
          </div>
        ))}
        {found.length === 0 && (
          <p role="status" className="px-3 py-4 text-mut">
            {notFoundWords(tasks)}
          </p>
        )}
      </div>
    </>
  )
}

/** Only what was looked through is said not to be there. */
function notFoundWords(tasks: { readonly rows: readonly unknown[]; readonly whole: boolean } | undefined) {
  if (tasks === undefined) return 'Tasks are being looked for …'
  if (tasks.whole) return 'Nothing has these letters.'
  const count = tasks.rows.length.toLocaleString('en-US')
  return `Nothing among the ${count} newest tasks has these letters. There are more under All tasks.`
}

function useEntries(rows: readonly TaskRowJson[] | undefined): Entry[] {
  const [, go] = useLocation()
  return useMemo(() => {
    const tasks = (rows ?? []).map(
      (task): Entry => ({
        id: task.session_id,
        words: task.title,
        note: task.name ?? task.session_id.slice(-6),
        state: stateWord(task),
        run: () => go(`/tasks/${task.session_id}`),
      }),
    )
    const places = [...MAIN_PLACES, ...SIDE_PLACES].map(
      ({ path, name, letter }): Entry => ({
        id: path,
        words: name,
        note: `g ${letter}`,
        run: () => go(path),
      }),
    )
    const others: Entry[] = [
      { id: 'new', words: 'New task', note: 'c', run: () => go('/new') },
      { id: 'dark', words: 'Theme: dark', run: () => chooseTheme('dark') },
      { id: 'light', words: 'Theme: light', run: () => chooseTheme('light') },
      { id: 'system', words: 'Theme: as the system', run: () => chooseTheme('system') },
      { id: 'help', words: 'Keyboard shortcuts', note: '?', run: () => showHelp(true) },
    ]
    return [...places, ...others, ...tasks]
  }, [rows, go])
}

/** Every word of the text must occur; what begins with it comes first. */
function matching(entries: readonly Entry[], text: string): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const hay = (entry: Entry) => `${entry.words} ${entry.note ?? ''} ${entry.id}`.toLowerCase()
  const found = entries.filter((entry) => words.every((word) => hay(entry).includes(word)))
  const rank = (entry: Entry) => (entry.words.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1)
  return words.length === 0 ? found : found.sort((one, other) => rank(one) - rank(other))
}
