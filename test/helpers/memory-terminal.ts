// A terminal without tmux. What a person, a program or fate would do to it, a test does by its hands.
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { HoldfastError } from '../../src/domain/errors.ts'
import { asPaneId, type PaneId } from '../../src/domain/names/ids.ts'
import type { Place } from '../../src/domain/runtime/names.ts'
import type { Clock } from '../../src/ports/clock.ts'
import {
  type AsSeen,
  LaunchUncertain,
  type OpenSpec,
  type Pane,
  type PaneView,
  type Terminal,
  type TerminalEvent,
  type TerminalHealth,
  type Typed,
  type Typist,
} from '../../src/ports/run/terminal.ts'
import { Listeners } from '../../src/tmux/link/listeners.ts'
import { OutageRecord } from '../../src/tmux/link/outage-record.ts'
import { DEATHS_TO_GIVE_UP, deathsWithin } from '../../src/tmux/link/server-deaths.ts'
import { unavailable } from '../../src/tmux/link/unavailable.ts'
import { checkPaneName } from '../../src/tmux/panes/check-name.ts'
import { sessionName } from '../../src/tmux/panes/session-name.ts'
import { checkKeys, checkText } from '../../src/tmux/panes/typing.ts'

/** What a program draws. */
export type Drawn = { readonly text: string; readonly title?: string; readonly cursor?: PaneView['cursor'] }

type Tag = 'pasted' | 'pressed' | 'cleared' | 'person'
type Room = {
  readonly spec: OpenSpec
  readonly pane: PaneId
  readonly pid: number
  screen: Required<Drawn>
  dead: boolean
  inMode: boolean
  activeAt: number
  readonly tags: Record<Tag, string>
  note: string
  /** Wall time of the last key of somebody at this pane; null while nobody is there. */
  keyAt: number | null
  keys: number
  /** Everybody at this pane, with the wall time of their coming and of their last key. */
  /** The name that a person gave its window. */
  window?: string
  readonly people: Map<string, { readonly cameAt: number; keyAt: number }>
  /** All that was typed, oldest first: `paste <text>`, `press <keys>`, `clear <keys>`. */
  readonly typed: string[]
}

const REST_MS = 10 * 60_000
/** Silence is noticed by the next question, or by a heartbeat. */
const HUNG_AFTER_MS = 8_000
const FIRST_PID = 4_000_000
const OUTLINES_MS = 1000
const BLANK: Required<Drawn> = { text: '', title: '', cursor: { x: 0, y: 0 } }

export class MemoryTerminal implements Terminal {
  readonly #clock: Clock
  readonly #listeners = new Listeners(undefined)
  readonly #onOutlines = new Set<() => void>()
  #outlinesTold = ''
  #isToTell = false
  readonly #trouble: OutageRecord
  readonly #rooms = new Map<string, Room>()
  /** Ordered while the server hung: they open when it answers. */
  readonly #queued: OpenSpec[] = []
  #health: TerminalHealth = 'down'
  #isThere = true
  #isSilent = false
  #deaths: number[] = []
  #serverPid: number | undefined
  #made = 0
  #callOffRest = () => {}
  /** The sessions of places: they stay until they are closed. */
  readonly sessions = new Set<string>()
  /** What the program in a pane does about what is typed into it. */
  sessionName = sessionName
  onTyped: (name: string, typed: string) => void = () => {}

  constructor({ clock, restMs = REST_MS }: { readonly clock: Clock; readonly restMs?: number }) {
    this.#clock = clock
    this.#trouble = new OutageRecord(clock, restMs)
  }

  async start(): Promise<void> {
    if (this.#health === 'up') return
    this.#callOffRest()
    if (!this.#isThere) {
      const why = 'There is no tmux on the PATH.'
      this.#setHealth('missing', why)
      return this.#listeners.emit({ kind: 'server_unavailable', why })
    }
    this.#deaths = []
    this.#serverStarts()
  }

  health = () => this.#health
  outage = () => this.#trouble.outage(this.#health, this.server())
  server = () => (this.#serverPid === undefined ? undefined : { pid: this.#serverPid, startTicks: 1 })
  onEvent = (listener: (event: TerminalEvent) => void) => this.#listeners.add(listener)

  async tryNow(): Promise<void> {
    if (this.#health !== 'hung') await this.start()
  }

  async open(spec: OpenSpec): Promise<PaneId> {
    sessionName(spec.task)
    checkPaneName(spec.mark)
    if (spec.place !== undefined) [spec.place.session, spec.place.window].forEach(checkPaneName)
    checkArgv(spec.argv)
    checkDirectory(spec.cwd)
    if (this.#isSilent && this.#health === 'up') {
      this.#queued.push(spec)
      this.#noticeSilence()
      throw new LaunchUncertain('the tmux server does not answer')
    }
    if (this.#health !== 'up') throw unavailable(this.#health)
    return this.#open(spec)
  }

  #open(spec: OpenSpec): PaneId {
    const there = this.#rooms.get(spec.task) ?? this.#roomAt(spec.place)
    if (there?.spec.mark === spec.mark) return there.pane
    if (there !== undefined && !there.dead)
      throw new HoldfastError('TMUX_UNAVAILABLE', `${spec.task} still belongs to run ${there.spec.mark}.`)
    if (there !== undefined) this.#rooms.delete(there.spec.task)
    const made = ++this.#made
    const room: Room = {
      spec,
      pane: asPaneId(`%${made}`),
      pid: FIRST_PID + made,
      screen: BLANK,
      dead: false,
      inMode: false,
      activeAt: this.#seconds(),
      tags: { pasted: '', pressed: '', cleared: '', person: '' },
      note: '',
      keyAt: null,
      keys: 0,
      people: new Map(),
      typed: [],
    }
    this.#rooms.set(spec.task, room)
    if (spec.place !== undefined) this.sessions.add(spec.place.session)
    return room.pane
  }

  /** Who has the window of this place. */
  #roomAt(place: OpenSpec['place']): Room | undefined {
    const isThere = ({ spec }: Room) =>
      spec.place?.session === place?.session && spec.place?.window === place?.window
    return place === undefined ? undefined : [...this.#rooms.values()].find(isThere)
  }

  async panes(): Promise<Pane[]> {
    if (this.#health !== 'given_up' && this.#health !== 'down') this.#ask()
    return [...this.#rooms.values()].map((room) => ({
      ...pick(room),
      session: this.sessionName(room.spec.task, room.spec.place),
      attached: room.keyAt !== null,
      outline: outlineOf(room),
      window: room.window ?? room.spec.place?.window ?? 'window',
      index: 0,
      panesInWindow: 1,
    }))
  }

  readScreen = async (name: string, mark: string) => (await this.look(name, mark))?.text

  async look(name: string, mark: string): Promise<PaneView | undefined> {
    const room = this.#find(name, mark)
    if (room === undefined) return undefined
    const { screen, dead, inMode, note } = room
    const { person: _, ...tags } = room.tags
    return {
      ...screen,
      ...tags,
      dead,
      inMode,
      note,
      keyAgeMs: this.#keyAge(room),
      typists: this.#typists(room),
      stir: stirOf(room),
    }
  }

  async paste(
    name: string,
    mark: string,
    tag: string,
    text: string,
    seen?: AsSeen & { readonly note?: string },
  ): Promise<Typed> {
    checkPaneName(tag)
    if (seen?.note) checkPaneName(seen.note)
    const room = this.#find(name, mark, () => checkText(text))
    const typed = this.#type(room, 'pasted', tag, `paste ${text}`, seen)
    if (typed === 'done') room!.note = seen?.note ?? ''
    return typed
  }

  async press(
    name: string,
    mark: string,
    tag: string,
    keys: readonly string[],
    seen?: AsSeen,
  ): Promise<Typed> {
    checkPaneName(tag)
    const room = this.#find(name, mark, () => checkKeys(keys))
    return this.#type(room, 'pressed', tag, `press ${keys.join(' ')}`, seen)
  }

  async pressForPerson(name: string, mark: string, tag: string, keys: readonly string[]): Promise<Typed> {
    checkPaneName(tag)
    const room = this.#find(name, mark, () => checkKeys(keys))
    return this.#type(room, 'person', tag, `press ${keys.join(' ')}`, undefined)
  }

  async clear(
    name: string,
    mark: string,
    tag: string,
    keys: readonly string[],
    seen: AsSeen,
  ): Promise<Typed> {
    checkPaneName(tag)
    const room = this.#find(name, mark, () => checkKeys(keys))
    return this.#type(room, 'cleared', tag, `clear ${keys.join(' ')}`, seen)
  }

  async close(name: string, mark: string): Promise<void> {
    if (this.#find(name, mark) === undefined) return
    this.#rooms.delete(name)
    this.#tellOutlines()
  }

  async putInPlace({ mark }: Pane, { session, window }: Place): Promise<boolean> {
    this.#ask()
    const room = [...this.#rooms.values()].find(({ spec }) => spec.mark === mark)
    const isTaken = [...this.#rooms.values()].some(
      (one) => one !== room && one.spec.place?.session === session && one.window === window,
    )
    if (room === undefined || isTaken) return false
    room.window = window
    return true
  }

  async closeEmptySessions(except: ReadonlySet<string>): Promise<number> {
    this.#ask()
    const used = new Set([...this.#rooms.values()].map(({ spec }) => spec.place?.session))
    let left = 0
    for (const session of this.sessions)
      if (except.has(session)) continue
      else if (used.has(session)) left++
      else this.sessions.delete(session)
    return left
  }

  #type(room: Room | undefined, as: Tag, tag: string, what: string, seen: AsSeen | undefined): Typed {
    if (room === undefined) return 'refused'
    if (room.tags[as] === tag) return 'already'
    if (room.dead || room.inMode || !isAsSeen(room, seen)) return 'refused'
    room.tags[as] = tag
    room.typed.push(what)
    this.onTyped(room.spec.task, what)
    return 'done'
  }

  #find(name: string, mark: string, check = () => {}): Room | undefined {
    check()
    sessionName(name)
    checkPaneName(mark)
    if (this.#health === 'given_up') return undefined
    this.#ask()
    const room = this.#rooms.get(name)
    return room?.spec.mark === mark ? room : undefined
  }

  #ask(): void {
    if (this.#isSilent) this.#noticeSilence()
    if (this.#health !== 'up') throw unavailable(this.#health)
  }

  onOutlines = (listener: () => void) => {
    this.#onOutlines.add(listener)
    return () => void this.#onOutlines.delete(listener)
  }

  /** As tmux does: once a second, when they are others than before. */
  #tellOutlines(): void {
    if (this.#isToTell) return
    this.#isToTell = true
    this.#clock.after(OUTLINES_MS, () => {
      this.#isToTell = false
      const now = [...this.#rooms.values()].map(outlineOf).join(';')
      if (now === this.#outlinesTold || this.#isSilent) return
      this.#outlinesTold = now
      for (const listener of this.#onOutlines) listener()
    })
  }

  // The hands of a test.

  draw(name: string, screen: Drawn): void {
    const room = this.#room(name)
    room.screen = { ...room.screen, ...screen }
    room.activeAt = this.#seconds()
    this.#tellOutlines()
  }

  /** The program ends. Its pane stays, with the last it drew. */
  dies = (name: string) => {
    this.#room(name).dead = true
  }

  /** A person kills its window. */
  killPane = (name: string) => {
    this.#room(name)
    this.#rooms.delete(name)
    this.#tellOutlines()
  }

  /** A person renames its window. */
  renameWindow = (name: string, window: string) => {
    this.#room(name).window = window
  }

  /** A person looks through its history, or no more. */
  setInMode = (name: string, inMode: boolean) => {
    this.#room(name).inMode = inMode
    this.#tellOutlines()
  }

  /** A person at the pane presses a key; the first time, they come there. */
  personTypes = (name: string, user = 'ada') => {
    const room = this.#room(name)
    const at = this.#clock.now()
    room.keyAt = at
    room.keys++
    room.people.set(user, { cameAt: room.people.get(user)?.cameAt ?? at, keyAt: at })
    this.#tellOutlines()
  }

  /** All who were at the pane detach. */
  peopleLeave = (name: string) => {
    const room = this.#room(name)
    room.keyAt = null
    room.people.clear()
    this.#tellOutlines()
  }

  typed = (name: string): readonly string[] => this.#room(name).typed
  specOf = (name: string): OpenSpec => this.#room(name).spec

  /** kill -9. It is started again at once, until it died too often. */
  killServer(): void {
    this.#rooms.clear()
    this.sessions.clear()
    this.#serverPid = undefined
    this.#deaths = deathsWithin(this.#deaths, this.#clock.monotonic())
    const deaths = this.#deaths.length
    const isGivenUp = deaths >= DEATHS_TO_GIVE_UP
    this.#setHealth(isGivenUp ? 'given_up' : 'down')
    this.#listeners.emit({ kind: 'server_died', deaths })
    if (isGivenUp) this.#rest(deaths)
    else this.#serverStarts()
  }

  /** kill -STOP. */
  stopServer(): void {
    this.#isSilent = true
    this.#clock.after(HUNG_AFTER_MS, () => this.#isSilent && this.#noticeSilence())
  }

  /** kill -CONT. */
  continueServer(): void {
    this.#isSilent = false
    if (this.#health !== 'hung') return
    this.#setHealth('up')
    for (const spec of this.#queued.splice(0)) this.#open(spec)
    this.#listeners.emit({ kind: 'server_answers' })
  }

  /** The program is not there, or is again. What runs goes on. */
  setThere(isThere: boolean): void {
    this.#isThere = isThere
  }

  #rest(deaths: number): void {
    const restMs = this.#trouble.startRest()
    this.#callOffRest = this.#clock.after(restMs, () => void this.start())
    this.#listeners.emit({ kind: 'server_given_up', deaths, retryAt: this.#clock.now() + restMs })
  }

  #noticeSilence(): void {
    if (this.#health !== 'up') return
    this.#setHealth('hung')
    this.#listeners.emit({ kind: 'server_hung' })
  }

  #serverStarts(): void {
    this.#serverPid = FIRST_PID + ++this.#made
    this.#setHealth('up')
    this.#listeners.emit({ kind: 'server_started' })
  }

  #setHealth(health: TerminalHealth, why?: string): void {
    this.#health = health
    this.#trouble.note(health, why)
  }

  #room(name: string): Room {
    const room = this.#rooms.get(name)
    if (room === undefined) throw new Error(`There is no pane ${name}.`)
    return room
  }

  #seconds = () => Math.floor(this.#clock.now() / 1000)

  #keyAge = ({ keyAt }: Room) => (keyAt === null ? null : this.#ageOf(keyAt))

  /** tmux tells times in whole seconds. */
  #ageOf = (at: number) => Math.max(0, this.#seconds() - Math.floor(at / 1000)) * 1000

  #typists = ({ people }: Room): Typist[] =>
    [...people].map(([user, { cameAt, keyAt }], index) => ({
      tty: `/dev/pts/${index}`,
      user,
      attachedAt: Math.floor(cameAt / 1000) * 1000,
      keyAgeMs: this.#ageOf(keyAt),
    }))
}

const pick = ({ spec: { mark }, pane, dead, pid, activeAt }: Room) => ({ mark, pane, dead, pid, activeAt })

const outlineOf = (room: Room) => {
  const { x, y } = room.screen.cursor
  return `${x}.${y}.${room.inMode ? 1 : 0}.${stirOf(room)}`
}

const stirOf = ({ keys, keyAt }: Room) => `${keys}.${keyAt === null ? 0 : 1}`

const isAsSeen = (room: Room, seen: AsSeen | undefined) =>
  seen === undefined ||
  (seen.stir === stirOf(room) &&
    (seen.cursor === undefined ||
      (seen.cursor.x === room.screen.cursor.x && seen.cursor.y === room.screen.cursor.y)))

function checkArgv(argv: readonly string[]): void {
  if (argv.length === 0 || argv.some((word) => word.includes('\0')))
    throw new HoldfastError('INVALID_REQUEST', 'There is no program to run.')
}

function checkDirectory(dir: string): void {
  const isDirectory =
    isAbsolute(dir) && !dir.includes('\0') && statSync(dir, { throwIfNoEntry: false })?.isDirectory()
  if (!isDirectory) throw new HoldfastError('DIRECTORY_NOT_FOUND', `There is no directory '${dir}'.`)
}
