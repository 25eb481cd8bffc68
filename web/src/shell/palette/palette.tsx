// Owns the command palette: every place, tasks by a few letters, and what can be done here: orders, and keys of the screen.
import { useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import type { OpenQuestionJson } from '../../../../src/protocol/json/recovery-json.ts'
import type { TaskRowJson } from '../../../../src/protocol/json/task-json.ts'
import { answerKey, awaitsAnswer, givenAnswers } from '../../data/orders/answers.ts'
import { useSignal } from '../../data/signal.ts'
import { useTask } from '../../data/task/task.ts'
import { useNamedTasks } from '../../data/tasks/tasks.ts'
import { Chip } from '../../parts/chip.tsx'
import { classes } from '../../parts/classes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { type StateWord, stateWord } from '../../words/state.ts'
import { MAIN_PLACES, SIDE_PLACES } from '../places.tsx'
import { ofScreens, showHelp } from '../shortcuts.tsx'
import { chooseTheme } from '../theme.ts'
import { type Findable, matching, meant } from './matching.ts'
import { offeredHere } from './offered-here.ts'
import { OrderInHand, takeOrder } from './order-in-hand.tsx'
import { paletteOpen, showPalette } from './palette-open.ts'
import { type TaskInSight, taskInSight } from './task-in-sight.ts'

type Entry = Findable & {
  /** Which task it is for: nobody looks for an order by that. */
  readonly of?: string
  readonly state?: StateWord
  readonly run: () => void
}

export const Palette = () => (
  <>
    <Dialog
      open={useSignal(paletteOpen)}
      onClose={() => showPalette(false)}
      label="Find a task, go somewhere"
    >
      <Here />
    </Dialog>
    <OrderInHand />
  </>
)

function Here() {
  // What has the focus is asked before the field below takes it.
  const [task] = useState(taskInSight)
  return task === undefined ? <Finder orders={NONE} /> : <OfTask task={task} />
}

const NONE: readonly Entry[] = []

function OfTask({ task }: { readonly task: TaskInSight }) {
  const [, go] = useLocation()
  const detail = useTask(task.id).value
  const given = useSignal(givenAnswers)
  const orders = useMemo(() => {
    if (detail === undefined) return NONE
    const awaits = (asked: OpenQuestionJson) => awaitsAnswer(given.get(answerKey(asked)))
    return offeredHere(detail, task, awaits).map((here): Entry => {
      const run = () => ('path' in here ? go(here.path) : void takeOrder(here.offered, detail.title))
      return { id: here.id, words: here.words, of: detail.title, run }
    })
  }, [detail, task, given, go])
  return <Finder orders={orders} />
}

function Finder({ orders }: { readonly orders: readonly Entry[] }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const tasks = useNamedTasks().value
  const keys = useKeyEntries()
  const others = useEntries(tasks?.rows, keys.toTabs)
  const find = (letters: string) => matching([...orders, ...keys.others], others, letters)
  const found = find(text)
  const at = meant(found, chosen, text)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return
    // The focus is back where it was before anything follows.
    flushSync(() => showPalette(false))
    entry.run()
  }
  const press = (key: string) => {
    if (key === 'ArrowDown') setChosen(found[Math.min(at + 1, found.length - 1)]?.id)
    if (key === 'ArrowUp') setChosen(found[Math.max(at - 1, 0)]?.id)
    if (key === 'Enter') run(found[at])
    return key === 'ArrowDown' || key === 'ArrowUp' || key === 'Enter'
  }
  return (
    <>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={found[at] === undefined ? undefined : `found-${at}`}
        aria-label="Find a task, go somewhere"
        placeholder="Find a task, go somewhere, give an order"
        // biome-ignore lint/a11y/noAutofocus: it was opened to type into.
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setChosen(event.target.value.trim() === '' ? undefined : find(event.target.value)[0]?.id)
        }}
        onKeyDown={(event) => press(event.key) && event.preventDefault()}
        className="w-full border-line border-b bg-transparent px-4 py-3 text-lg outline-none placeholder:text-mut"
      />
      <div
        ref={list}
        role="listbox"
        id="found"
        aria-label="Found"
        className="max-h-[50vh] overflow-auto p-1.5"
      >
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled in the field above.
          <div
            key={entry.id}
            id={`found-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => run(entry)}
            onPointerMove={() => setChosen(entry.id)}
            className={classes(
              'flex cursor-pointer items-center gap-3 rounded-md px-3 py-2',
              index === at && 'bg-soft',
            )}
          >
            <span
              className={classes(
                'min-w-0 truncate',
                entry.of === undefined ? 'flex-1' : 'shrink-0 max-w-[70%]',
              )}
            >
              {entry.words}
            </span>
            {entry.of !== undefined && (
              <span className="min-w-0 flex-1 truncate text-right text-mut text-xs">{entry.of}</span>
            )}
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

/** What the keys of the screen do; digits lead to tabs. */
function useKeyEntries() {
  const screens = useSignal(ofScreens)
  return useMemo(() => {
    const all = screens
      .flatMap((keys) => Object.entries(keys))
      .filter(([, { onlyAsKey }]) => onlyAsKey !== true)
      .map(([key, { what, run }]): Entry => ({ id: `key ${key}`, words: what, note: key, run }))
    const isDigit = ({ note }: Entry) => /^\d$/.test(note ?? '')
    return { toTabs: all.filter(isDigit), others: all.filter((entry) => !isDigit(entry)) }
  }, [screens])
}

/** Only what was looked through is said not to be there. */
function notFoundWords(tasks: { readonly rows: readonly unknown[]; readonly whole: boolean } | undefined) {
  if (tasks === undefined) return 'Tasks are being looked for …'
  if (tasks.whole) return 'Nothing has these letters.'
  const count = tasks.rows.length.toLocaleString('en-US')
  return `Nothing among the ${count} newest tasks has these letters. There are more under All tasks.`
}

function useEntries(rows: readonly TaskRowJson[] | undefined, tabs: readonly Entry[]): Entry[] {
  const [, go] = useLocation()
  return useMemo(() => {
    const tasks = (rows ?? []).map(
      (task): Entry => ({
        id: task.session_id,
        words: task.title,
        // The day is the same for most; the time tells tasks with one title apart.
        note: task.name ?? task.session_id.replace(/^\d{8}-/, ''),
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
    return [...places, ...others, ...tabs, ...tasks]
  }, [rows, tabs, go])
}
