// Owns what the board knows of each session. Events only say that something changed; answers say how it is. An answer
// counts if it was asked for after the one that is held, and makes up for every event that came before it was asked for.
import { isEnded } from '../../../domain/task/machine.ts'
import type { OpenQuestionJson } from '../../../protocol/json/recovery-json.ts'
import type {
  QuestionJson,
  TaskDetailJson,
  TaskRowJson,
  TotalsJson,
} from '../../../protocol/json/task-json.ts'
import { forgetOldest } from './forget-oldest.ts'
import { SECTIONS, type Section, sectionOf } from './sections.ts'

export type Held = {
  readonly row: TaskRowJson
  /** Null until somebody looked at it alone. */
  readonly detail: TaskDetailJson | null
  /** When that came, on our monotonic clock; 0 while there is none. */
  readonly detailAt: number
  readonly questions: readonly QuestionJson[]
  /** When the answer came, on our monotonic clock. */
  readonly at: number
}

/** A moment on the model's own clock, which every question and every event moves on. */
export type Asked = number
type Kept = Held & { readonly asked: Asked }

export class BoardModel {
  #tick = 0
  #version = 0
  #ended = 0
  #isCountSure = true
  /** When the list was asked for with which the number of ended sessions came. */
  #countedAt: Asked = 0
  readonly #rows = new Map<string, Kept>()
  /** When a session was last heard of; also of sessions that are not on the board yet. */
  readonly #heard = new Map<string, number>()
  readonly #gone = new Map<string, Asked>()
  /** Grows with every change: whoever drew the board before knows by it that there is something new. */
  get version(): number {
    return this.#version
  }
  /** How many sessions have ended, also those that are not on the board. */
  get ended(): number {
    return this.#ended
  }
  /** False when a session came or ended, and nobody knows whether the number has it: then the list tells. */
  get isCountSure(): boolean {
    return this.#isCountSure
  }

  /** Called right before a question is sent. */
  ask(): Asked {
    return ++this.#tick
  }

  /** Something happened to the session. */
  hear(id: string): void {
    this.#heard.set(id, ++this.#tick)
  }

  get(id: string): Held | undefined {
    return this.#rows.get(id)
  }

  /** Sessions of which something was heard since they were asked for. */
  stale(): string[] {
    return [...this.#heard.keys()]
  }

  take(asked: Asked, row: TaskRowJson, at: number): void {
    const held = this.#rows.get(row.session_id)
    if (!this.#isNewer(row.session_id, asked)) return
    // What was seen of it alone is kept while the state is the same.
    const isSame = held?.row.task_status === row.task_status && held.row.phase === row.phase
    const { detail, detailAt } = isSame ? held : { detail: null, detailAt: 0 }
    this.#put(row, { detail, detailAt, questions: held?.questions ?? [], at, asked })
  }

  takeDetail(asked: Asked, detail: TaskDetailJson, at: number): void {
    if (!this.#isNewer(detail.session_id, asked)) return
    const known = this.#rows.get(detail.session_id)?.questions ?? []
    const left = known.filter((one) => detail.questions.some(({ number }) => number === one.number))
    const questions = left.length > 0 ? left : detail.questions
    if (detail.archived_at === null) this.#put(detail, { detail, detailAt: at, questions, at, asked })
    else this.takeGone(asked, detail.session_id)
  }

  /** Questions that are open, of all sessions. */
  takeQuestions(asked: Asked, all: readonly OpenQuestionJson[]): void {
    const byId = new Map<string, QuestionJson[]>()
    for (const one of all) byId.set(one.session_id, [...(byId.get(one.session_id) ?? []), one])
    for (const [id, kept] of this.#rows)
      if (asked > kept.asked || kept.detail === null)
        this.#rows.set(id, { ...kept, questions: byId.get(id) ?? [] })
    this.#version++
  }

  /** There is no such session. */
  takeGone(asked: Asked, id: string): void {
    if (!this.#isNewer(id, asked)) return
    this.#forgetEventsBefore(id, asked)
    this.#gone.set(id, asked)
    forgetOldest(this.#gone)
    if (this.#rows.delete(id)) this.#version++
  }

  /**
   * The whole list was read. What is not in it has ended a while ago, or is gone: it is heard of, so that somebody asks.
   * `isFresh`: events may have been missed, so that this is also done for sessions that had ended.
   */
  takeList(asked: Asked, ids: ReadonlySet<string>, totals: TotalsJson | null, isFresh: boolean): void {
    if (totals !== null) this.#ended = totals.completed + totals.failed + totals.killed
    this.#countedAt = asked
    this.#isCountSure = true
    for (const [id, kept] of this.#rows)
      if (!ids.has(id) && kept.asked < asked && (isFresh || !isEnded(kept.row.task_status))) this.hear(id)
    this.#version++
  }

  /** In the order of the board. */
  rows(): Held[] {
    return SECTIONS.flatMap((section) => this.#inSection(section))
  }

  count(section: Section): number {
    return this.#inSection(section).length
  }

  #sorted: { version: number; by: ReadonlyMap<Section, Held[]> } | undefined

  #inSection(section: Section): Held[] {
    if (this.#sorted?.version !== this.#version) {
      const by = new Map<Section, Held[]>(SECTIONS.map((one) => [one, []]))
      for (const held of this.#rows.values()) by.get(sectionOf(held.row))?.push(held)
      for (const [one, held] of by) held.sort(ORDERS[one])
      this.#sorted = { version: this.#version, by }
    }
    return this.#sorted.by.get(section) ?? []
  }

  #isNewer(id: string, asked: Asked): boolean {
    return asked > (this.#rows.get(id)?.asked ?? this.#gone.get(id) ?? 0)
  }

  #put(row: TaskRowJson, rest: Omit<Kept, 'row'>): void {
    this.#count(this.#rows.get(row.session_id), row)
    this.#rows.set(row.session_id, { row, ...rest })
    this.#gone.delete(row.session_id)
    this.#forgetEventsBefore(row.session_id, rest.asked)
    this.#version++
  }

  #count(before: Kept | undefined, { task_status }: TaskRowJson): void {
    const more =
      Number(isEnded(task_status)) - Number(before !== undefined && isEnded(before.row.task_status))
    if (more === 0) return
    if (before !== undefined && before.asked >= this.#countedAt) this.#ended += more
    else this.#isCountSure = false
  }

  #forgetEventsBefore(id: string, asked: Asked): void {
    if ((this.#heard.get(id) ?? 0) < asked) this.#heard.delete(id)
  }
}

type Order = (a: Held, b: Held) => number
const newestFirst: Order = (a, b) =>
  a.row.session_id < b.row.session_id ? 1 : a.row.session_id > b.row.session_id ? -1 : 0
const askedAt = ({ questions }: Held) => questions[0]?.asked_at ?? '9'
const endedAt = ({ row }: Held) =>
  (row.started_at === null ? 0 : Date.parse(row.started_at)) + row.elapsed_seconds * 1000

/** Who waits longest for a person comes first; what ended last comes first. */
const ORDERS: Readonly<Record<Section, Order>> = {
  needs_you: (a, b) => askedAt(a).localeCompare(askedAt(b)) || newestFirst(b, a),
  at_work: newestFirst,
  waiting: newestFirst,
  done: (a, b) => endedAt(b) - endedAt(a) || newestFirst(a, b),
}
