// Owns what a person has in front of them: the list or a page, a line that is typed, a question to answer.
import type { QuestionJson } from '../../../protocol/json/task-json.ts'
import type { Edited } from './edit-line.ts'

/** Pages take the whole screen. `top`: the first line shown; `isAtEnd`: new lines keep the end in sight. */
export type Page = {
  readonly kind: 'logs' | 'why' | 'help'
  /** The session; empty for help. */
  readonly id: string
  readonly top: number
  readonly isAtEnd: boolean
}

/** What is asked of the person in the last line. The session is the one it was when the key was pressed. */
export type Prompt =
  | { readonly kind: 'filter'; readonly line: Edited; readonly before: string }
  | { readonly kind: 'answer'; readonly id: string; readonly question: QuestionJson; readonly line: Edited }
  /** `key`: a second try with the same key is the same prompt. */
  | { readonly kind: 'send'; readonly id: string; readonly line: Edited; readonly key: string }
  | { readonly kind: 'kill' | 'retry' | 'nested_attach'; readonly id: string }

export type Note = { readonly text: string; readonly tone: 'good' | 'bad' | 'plain' }

export type BoardState = {
  readonly page: Page | null
  readonly prompt: Prompt | null
  readonly note: Note | null
  readonly filter: string
  /** The selected session: it stays selected wherever it moves. */
  readonly selected: string | null
  /** Its place among the rows when it was last there: who comes next when it is gone. */
  readonly selectedAt: number
  /** The first line of the list that is shown. */
  readonly top: number
}

export const INITIAL_STATE: BoardState = {
  page: null,
  prompt: null,
  note: null,
  filter: '',
  selected: null,
  selectedAt: 0,
  top: 0,
}
