// Owns what each key does: it changes what is in front of the person, or asks for something to be done. Pure.
import { isEnded } from '../../../domain/task/machine.ts'
import type { Held } from '../model/board-model.ts'
import { sectionOf } from '../model/sections.ts'
import { edit, editedText, textOf } from './edit-line.ts'
import type { Key, KeyName } from './keys.ts'
import { type BoardState, INITIAL_STATE, type Page } from './state.ts'

/** What a key asks for beside what it changes on the screen; `board-actions.ts` does it. */
export type BoardAction =
  | { readonly do: 'quit' | 'suspend' | 'redraw' | 'close_page' }
  | {
      readonly do: 'attach' | 'begin_answer' | 'begin_send' | 'kill' | 'retry' | 'logs' | 'why'
      readonly id: string
    }
  | { readonly do: 'answer'; readonly id: string; readonly number: number; readonly choice: string }
  | { readonly do: 'send'; readonly id: string; readonly text: string; readonly key: string }

/** What a key needs to know of the screen. `pageTop`: the first line of a page as it is drawn now. */
export type Around = {
  readonly rows: readonly Held[]
  readonly listHeight: number
  readonly pageHeight: number
  readonly pageTop: number
}

export type Pressed = { readonly state: BoardState; readonly action: BoardAction | null }
const only = (state: BoardState): Pressed => ({ state, action: null })

export function press(state: BoardState, key: Key, around: Around): Pressed {
  if (key.kind === 'key' && key.name === 'ctrl_z') return { state, action: { do: 'suspend' } }
  if (key.kind === 'key' && key.name === 'ctrl_l') return { state, action: { do: 'redraw' } }
  if (state.prompt !== null) return inPrompt(state, state.prompt, key)
  if (state.page !== null) return onPage(state, state.page, key, around)
  return inList({ ...state, note: null }, key, around)
}

function inPrompt(state: BoardState, prompt: NonNullable<BoardState['prompt']>, key: Key): Pressed {
  const closed = { ...state, prompt: null }
  const isCancelled = key.kind === 'key' && (key.name === 'escape' || key.name === 'ctrl_c')
  if (prompt.kind === 'filter') {
    if (isCancelled) return only({ ...closed, filter: prompt.before })
    if (isEnter(key)) return only(closed)
    const line = edit(prompt.line, key)
    if (line === undefined) return only(state)
    return only({ ...state, prompt: { ...prompt, line }, filter: textOf(line), top: 0 })
  }
  if (isCancelled) return only(closed)
  if ('line' in prompt) {
    if (isEnter(key)) return sent(state, prompt)
    const line = edit(prompt.line, key)
    return only(line === undefined ? state : { ...state, prompt: { ...prompt, line } })
  }
  const isYes = key.kind === 'text' && /^y$/i.test(key.text)
  const what = prompt.kind === 'nested_attach' ? 'attach' : prompt.kind
  return { state: closed, action: isYes ? { do: what, id: prompt.id } : null }
}

/** The line stays until it is done: what could not be sent can be sent again. */
function sent(
  state: BoardState,
  prompt: Extract<BoardState['prompt'], { kind: 'answer' | 'send' }>,
): Pressed {
  const text = textOf(prompt.line)
  if (text.trim() === '') return only(state)
  return prompt.kind === 'send'
    ? { state, action: { do: 'send', id: prompt.id, text, key: prompt.key } }
    : { state, action: { do: 'answer', id: prompt.id, number: prompt.question.number, choice: text } }
}

function onPage(state: BoardState, page: Page, key: Key, { pageHeight, pageTop }: Around): Pressed {
  const moved = (top: number) => only({ ...state, page: { ...page, top: Math.max(0, top), isAtEnd: false } })
  if (key.kind === 'text') {
    if (key.text === 'q') return { state: { ...state, page: null }, action: { do: 'close_page' } }
    if (key.text === ' ') return moved(pageTop + pageHeight)
    return key.text === 'G' ? only({ ...state, page: { ...page, isAtEnd: true } }) : only(state)
  }
  if (key.kind === 'paste') return only(state)
  if (['escape', 'ctrl_c', 'left'].includes(key.name))
    return { state: { ...state, page: null }, action: { do: 'close_page' } }
  if (key.name === 'end') return only({ ...state, page: { ...page, isAtEnd: true } })
  const by = { ...STEPS, page_up: -pageHeight, page_down: pageHeight }[key.name as 'up']
  if (key.name === 'home') return moved(0)
  return by === undefined ? only(state) : moved(pageTop + by)
}

const STEPS: Readonly<Partial<Record<KeyName, number>>> & { up: number } = { up: -1, down: 1, enter: 1 }
const isEnter = (key: Key) => key.kind === 'key' && key.name === 'enter'

function inList(state: BoardState, key: Key, around: Around): Pressed {
  if (key.kind === 'key') return moveInList(state, key.name, around)
  // What is pasted was not meant for the board: a letter of it could kill.
  if (key.kind === 'paste')
    return only({
      ...state,
      note: { text: 'Pasted text does nothing here; press s first to send it.', tone: 'plain' },
    })
  if (key.text === 'q') return { state, action: { do: 'quit' } }
  if (key.text === '?') return only({ ...state, page: { kind: 'help', id: '', top: 0, isAtEnd: false } })
  if (key.text === '/')
    return only({
      ...state,
      prompt: { kind: 'filter', line: editedText(state.filter), before: state.filter },
    })
  if (key.text === 'g' || key.text === 'G')
    return moveInList(state, key.text === 'g' ? 'home' : 'end', around)
  return state.selected === null ? only(state) : ofSelected(state, state.selected, key.text, around)
}

function ofSelected(state: BoardState, id: string, letter: string, { rows }: Around): Pressed {
  switch (letter) {
    case 'a':
      return { state, action: { do: 'begin_answer', id } }
    case 's':
      return { state, action: { do: 'begin_send', id } }
    case 'k':
      return only(killAsked(state, id, rows))
    case 'r':
      return only(retryAsked(state, id, rows))
    case 'l':
      return {
        state: { ...state, page: { kind: 'logs', id, top: 0, isAtEnd: true } },
        action: { do: 'logs', id },
      }
    case 'w':
      return {
        state: { ...state, page: { kind: 'why', id, top: 0, isAtEnd: false } },
        action: { do: 'why', id },
      }
    default:
      return only(state)
  }
}

/** What cannot be done is not asked. A runtime comes back however it ends: a question would promise what no kill can do. */
function killAsked(state: BoardState, id: string, rows: readonly Held[]): BoardState {
  const row = rowOf(id, rows)
  if (row?.runtime)
    return noted(
      state,
      `${row.runtime} is a runtime: it is not killed. \`holdfast runtime stop ${row.runtime}\` ends it.`,
    )
  if (row !== undefined && isEnded(row.task_status)) return noted(state, `${id} has ended (${row.status}).`)
  return { ...state, prompt: { kind: 'kill', id } }
}

/** Nothing is started over while it works: two agents would do the same. */
function retryAsked(state: BoardState, id: string, rows: readonly Held[]): BoardState {
  const row = rowOf(id, rows)
  const isAtWork = row?.runtime === null && row.stopping === null && AT_WORK.has(row.phase ?? '')
  return isAtWork
    ? noted(state, `${id} is at work, and is not started over. Press k to end it first, then r.`)
    : { ...state, prompt: { kind: 'retry', id } }
}

const AT_WORK: ReadonlySet<string> = new Set(['starting', 'working'])
const rowOf = (id: string, rows: readonly Held[]) => rows.find(({ row }) => row.session_id === id)?.row
const noted = (state: BoardState, text: string): BoardState => ({ ...state, note: { text, tone: 'plain' } })

function moveInList(state: BoardState, name: KeyName, { rows, listHeight }: Around): Pressed {
  if (name === 'ctrl_c' || name === 'ctrl_d') return { state, action: { do: 'quit' } }
  if (name === 'escape')
    return state.filter === '' ? { state, action: { do: 'quit' } } : only({ ...state, filter: '', top: 0 })
  if (name === 'enter')
    return state.selected === null ? only(state) : { state, action: { do: 'attach', id: state.selected } }
  const at = Math.max(
    0,
    rows.findIndex(({ row }) => row.session_id === state.selected),
  )
  const to = target(name, at, rows, Math.max(1, listHeight - 1))
  return only(to === undefined ? state : selectedAt(state, rows, to))
}

function target(name: KeyName, at: number, rows: readonly Held[], screen: number): number | undefined {
  switch (name) {
    case 'up':
      return at - 1
    case 'down':
      return at + 1
    case 'page_up':
      return at - screen
    case 'page_down':
      return at + screen
    case 'home':
      return 0
    case 'end':
      return rows.length - 1
    case 'tab':
      return nextPart(rows, at)
    default:
      return undefined
  }
}

/** The first row of the next part; after the last part, the first row of all. */
function nextPart(rows: readonly Held[], at: number): number {
  const here = rows[at]
  if (here === undefined) return 0
  const next = rows.findIndex(({ row }, index) => index > at && sectionOf(row) !== sectionOf(here.row))
  return next === -1 ? 0 : next
}

function selectedAt(state: BoardState, rows: readonly Held[], to: number): BoardState {
  const at = Math.min(rows.length - 1, Math.max(0, to))
  return { ...state, selected: rows[at]?.row.session_id ?? null, selectedAt: Math.max(0, at) }
}

/** The selection after the rows changed: the same session, or whoever is in its place now. */
export function reselected(state: BoardState, rows: readonly Held[]): BoardState {
  const at = rows.findIndex(({ row }) => row.session_id === state.selected)
  if (at !== -1) return at === state.selectedAt ? state : { ...state, selectedAt: at }
  return selectedAt(state, rows, state.selected === null ? INITIAL_STATE.selectedAt : state.selectedAt)
}
