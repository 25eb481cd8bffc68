// Owns which handoff directories are open. Descriptors are limited: the idle one that was used longest ago is closed first.
import { closeSync } from 'node:fs'
import type { TaskId } from '../domain/names/ids.ts'
import type { TaskPlace } from '../ports/files/handoff.ts'
import type { Originals } from './originals.ts'
import { type Stamps, VIEW_NAMES, View } from './view.ts'
import {
  findView,
  isInPlace,
  makeView,
  moveView,
  type OpenedView,
  removeEmptyView,
  removeView,
  type ViewIdentity,
} from './view-directory.ts'

/** The file that says which inode is our handoff directory. It lies with the originals, so that a restarted daemon knows it. */
export const VIEW_RECORD = 'view.json'

type Needs = {
  readonly originals: Originals
  readonly mostOpen: number
  /** A directory somebody is working in is not closed. */
  readonly isBusy: (id: TaskId) => boolean
}

export class Views {
  readonly #needs: Needs
  /** In order of use, oldest first. */
  readonly #open = new Map<TaskId, View>()
  /** Kept longer than the descriptors: without them every log would be copied whole at the next line. */
  readonly #stamps = new Map<TaskId, Stamps>()
  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Our directory: found again, moved out of the archive or into it, or created. HANDOFF_UNSAFE when something else is in its place. */
  async open(place: TaskPlace, { durable } = { durable: true }): Promise<{ view: View; isNew: boolean }> {
    const held = this.#open.get(place.id)
    if (held && isInPlace(place, held.identity)) return { view: this.#use(place.id, held), isNew: false }
    this.drop(place.id)
    const known = await this.#recorded(place.id)
    const inPlace = known && findView(place, known)
    const moved = known && !inPlace ? moveView(place, known) : undefined
    const found = inPlace ?? moved
    const isFirstSight = found && !this.#stamps.has(place.id)
    if (!found) this.#stamps.delete(place.id)
    const opened = found ?? (await this.#make(place, durable))
    const view = this.#use(place.id, new View(opened, this.#stampsOf(place.id)))
    this.#makeRoom()
    if (isFirstSight) view.sweep()
    if (moved && typeof place.archivedAt !== 'number') view.dropPacked()
    return { view, isNew: !found }
  }

  async remove(place: TaskPlace): Promise<void> {
    const known = await this.#recorded(place.id)
    if (known) removeView(place, known, VIEW_NAMES)
  }

  /** A crash between making a directory and recording it leaves an empty one. */
  async removeStray(place: TaskPlace): Promise<void> {
    if (!(await this.#recorded(place.id))) removeIfEmpty(place)
  }

  /** The original went on without the view; the next repair copies it. */
  outdate(id: TaskId, name: string): void {
    this.#stamps.get(id)?.delete(name)
  }

  forget(id: TaskId): void {
    this.#stamps.delete(id)
    this.drop(id)
  }

  drop(id: TaskId): void {
    const view = this.#open.get(id)
    this.#open.delete(id)
    view?.close()
  }

  openIds = () => [...this.#open.keys()]

  #use(id: TaskId, view: View): View {
    this.#open.delete(id)
    this.#open.set(id, view)
    return view
  }

  /** A directory whose identity cannot be recorded is removed again. */
  async #make(place: TaskPlace, durable: boolean): Promise<OpenedView> {
    const made = makeView(place)
    try {
      await this.#record(place.id, made.identity, durable)
      return made
    } catch (error) {
      closeSync(made.dir)
      removeIfEmpty(place)
      throw error
    }
  }

  #makeRoom(): void {
    const idle = this.openIds().filter((id) => !this.#needs.isBusy(id))
    const tooMany = Math.max(0, this.#open.size - this.#needs.mostOpen)
    for (const id of idle.slice(0, tooMany)) this.drop(id)
  }

  #stampsOf(id: TaskId): Stamps {
    const stamps = this.#stamps.get(id) ?? new Map()
    this.#stamps.set(id, stamps)
    return stamps
  }

  /** Undefined when the record cannot be read: then the directory that is there counts as not ours. */
  async #recorded(id: TaskId): Promise<ViewIdentity | undefined> {
    try {
      return JSON.parse((await this.#needs.originals.read(id, VIEW_RECORD)) ?? '')
    } catch (error) {
      if (error instanceof SyntaxError) return undefined
      throw error
    }
  }

  #record = (id: TaskId, identity: ViewIdentity, durable: boolean) =>
    this.#needs.originals.replace(id, VIEW_RECORD, `${JSON.stringify(identity)}\n`, { durable })
}

function removeIfEmpty(place: TaskPlace): void {
  try {
    removeEmptyView(place)
  } catch {}
}
