import { HoldfastError, isHoldfastError } from '../domain/errors.ts'
import type { HomePaths } from '../domain/names/home.ts'
import type { TaskId } from '../domain/names/ids.ts'
import { checkTaskId } from '../domain/names/names.ts'
import { placeOfRuntime } from '../domain/runtime/names.ts'
import type { TaskSummary } from '../domain/task/task.ts'
import type { Clock } from '../ports/clock.ts'
import type {
  ClockSeen,
  Handoff,
  HandoffPaths,
  LogLine,
  ResultFile,
  TaskLog,
  TaskPlace,
} from '../ports/files/handoff.ts'
import type { Packing } from '../ports/files/packing.ts'
import type { ReplaceFile } from '../ports/files/replace-file.ts'
import type { TreeBase } from '../ports/files/work-tree.ts'
import type { Terminal } from '../ports/run/terminal.ts'
import type { TaskDraft } from '../ports/store/tasks.ts'
import { Drafts } from './drafts.ts'
import { isRemark, remarkLine } from './log-line.ts'
import { MirroredFiles } from './mirrored-files.ts'
import { Originals } from './originals.ts'
import { readAgentJson } from './read-agent-json.ts'
import { draftStateText, promptText, stateText } from './session-texts.ts'
import { Turns } from './turns.ts'
import { LOGS } from './view.ts'
import { viewPath } from './view-directory.ts'
import { VIEW_RECORD, Views } from './views.ts'

const RESULT_MAX_BYTES = 10 * 1024 * 1024
const MOST_OPEN = 256
const CLOCK = 'clock.json'
/** What the repository looked like when the task began. */
const TREE = 'tree.json'
/** A longer log is packed when its task is archived. */
const PACKED_ABOVE_BYTES = 1024 * 1024

export type FileHandoffOptions = {
  readonly home: HomePaths
  readonly clock: Pick<Clock, 'now'>
  readonly packing: Packing
  /** Gives the name of a task's tmux session, for state.json. */
  readonly terminal: Pick<Terminal, 'sessionName'>
  readonly replaceFile: ReplaceFile
  /** A larger result.json of an agent is refused. */
  readonly resultMaxBytes?: number
  /** Handoff directories kept open between writes. */
  readonly mostOpen?: number
}

/** The handoff files on disk. Calls for one task are carried out one after the other, in their order. */
export class FileHandoff implements Handoff {
  readonly #turns = new Turns()
  readonly #drafts: Drafts
  readonly #originals: Originals
  readonly #views: Views
  readonly #files: MirroredFiles
  readonly #resultMaxBytes: number
  readonly #clock: Pick<Clock, 'now'>
  readonly #terminal: Pick<Terminal, 'sessionName'>
  /** Of each draft: resolves when its files are on disk. */
  readonly #syncing = new Map<TaskId, Promise<void>>()

  constructor(options: FileHandoffOptions) {
    const { home, clock, packing, replaceFile } = options
    const { resultMaxBytes = RESULT_MAX_BYTES, mostOpen = MOST_OPEN } = options
    this.#clock = clock
    this.#terminal = options.terminal
    this.#drafts = new Drafts(home.drafts, replaceFile)
    this.#originals = new Originals(home, packing, replaceFile)
    this.#views = new Views({ originals: this.#originals, mostOpen, isBusy: this.#turns.isAtWork })
    this.#files = new MirroredFiles({ originals: this.#originals, views: this.#views, clock })
    this.#resultMaxBytes = resultMaxBytes
  }

  async create(draft: TaskDraft, env: Readonly<Record<string, string>>): Promise<void> {
    checkTaskId(draft.id)
    await this.#inTurn(draft, async () => {
      if (this.#originals.has(draft.id))
        throw new HoldfastError('TASK_EXISTS', `Files of a session ${draft.id} exist already.`)
      try {
        await this.#drafts.add(draft)
        await this.#fill(draft, env)
      } catch (error) {
        await this.#remove(draft).catch(() => {})
        throw error
      }
    })
  }

  finishDraft(task: TaskPlace): Promise<void> {
    return this.#inTurn(task, async () => {
      await this.#files.restore(task)
      await this.#syncing.get(task.id)
      this.#syncing.delete(task.id)
      await this.#drafts.remove(task.id)
    })
  }

  removeFiles(task: TaskPlace): Promise<void> {
    return this.#inTurn(task, async () => {
      await this.#views.removeStray(task)
      await this.#remove(task)
    })
  }

  drafts(): Promise<TaskPlace[]> {
    return this.#drafts.all()
  }

  writeState(task: TaskSummary): Promise<void> {
    return this.#inTurn(task, () => this.#files.replace(task, 'state.json', this.#stateOf(task)))
  }

  log(task: TaskPlace, lines: readonly LogLine[]): Promise<void> {
    return this.#inTurn(task, () => this.#files.log(task, lines))
  }

  remarkOnDisk(task: TaskPlace, remark: string): Promise<void> {
    return this.#inTurn(task, () => this.#files.log(task, [remarkLine(this.#clock.now(), 'Disk', remark)]))
  }

  logLength(task: TaskPlace): Promise<number> {
    return this.#inTurn(task, async () => {
      const lines = await this.#originals.lines(task.id, 'session.log')
      return lines.filter((line) => !isRemark(line)).length
    })
  }

  appendOutput(task: TaskPlace, at: number, text: string): Promise<number> {
    return this.#inTurn(task, () => this.#files.append(task, 'output.log', text, at))
  }

  readLog(task: TaskPlace, log: TaskLog, offset: number): AsyncIterable<Uint8Array> {
    return this.#originals.readLog(task.id, log, offset)
  }

  logSize(task: TaskPlace, log: TaskLog): Promise<number> {
    return this.#originals.logSize(task.id, log)
  }

  readResult(task: TaskPlace): Promise<ResultFile> {
    return this.#inTurn(task, async () => {
      let found: ResultFile = { kind: 'none' }
      const trouble = await this.#files.onView(task, async (view) => {
        found = await readAgentJson(view.path('result.json'), this.#resultMaxBytes)
      })
      return trouble ? { kind: 'refused', why: trouble.message } : found
    })
  }

  writeResult(task: TaskPlace, json: string): Promise<void> {
    return this.#inTurn(task, () => this.#files.replace(task, 'result.json', json, { durable: true }))
  }

  result(task: TaskPlace): Promise<string | undefined> {
    return this.#originals.read(task.id, 'result.json')
  }

  writeScreen(task: TaskPlace, screen: string): Promise<void> {
    return this.#inTurn(task, () => this.#originals.replace(task.id, 'screen.txt', screen))
  }

  screen(task: TaskPlace): Promise<string | undefined> {
    return this.#originals.read(task.id, 'screen.txt')
  }

  keepClock(task: TaskPlace, seen: ClockSeen): Promise<void> {
    return this.#inTurn(task, () => this.#originals.replace(task.id, CLOCK, JSON.stringify(seen)))
  }

  /** Undefined also when a power cut left the file empty. */
  async clockSeen(task: TaskPlace): Promise<ClockSeen | undefined> {
    const text = await this.#originals.read(task.id, CLOCK)
    return isJson(text) ? JSON.parse(text) : undefined
  }

  keepTreeBase(task: TaskPlace, base: TreeBase): Promise<void> {
    return this.#inTurn(task, () => this.#originals.replace(task.id, TREE, JSON.stringify(base)))
  }

  /** Undefined also when a power cut left the file empty. */
  async treeBase(task: TaskPlace): Promise<TreeBase | undefined> {
    const text = await this.#originals.read(task.id, TREE)
    return isJson(text) ? JSON.parse(text) : undefined
  }

  repair(task: TaskSummary): Promise<void> {
    return this.#inTurn(task, async () => {
      // A power cut may leave the original empty; it can always be written again from the task.
      if (!isJson(await this.#originals.read(task.id, 'state.json')))
        await this.#originals.replace(task.id, 'state.json', this.#stateOf(task))
      await this.#files.restore(task)
    })
  }

  reopen(task: TaskPlace, env: Readonly<Record<string, string>>): Promise<void> {
    return this.#inTurn(task, () =>
      this.#originals.replace(task.id, 'env', JSON.stringify(env), { durable: true }),
    )
  }

  async env(task: TaskPlace): Promise<Readonly<Record<string, string>>> {
    return JSON.parse((await this.#originals.read(task.id, 'env')) ?? '{}')
  }

  close(task: TaskPlace): Promise<void> {
    return this.#inTurn(task, async () => {
      this.#files.forget(task)
      await this.#originals.removeFile(task.id, 'env')
    })
  }

  /** The originals first: they are complete, whatever happens to the view. */
  archive(task: TaskSummary, at: number): Promise<void> {
    const archived = { ...task, archivedAt: task.archivedAt ?? at }
    return this.#inTurn(task, async () => {
      for (const name of LOGS) await this.#originals.pack(task.id, name, PACKED_ABOVE_BYTES)
      await this.#files.replace(archived, 'state.json', this.#stateOf(archived))
      await this.#files.restore(archived)
      await this.#files.packView(archived)
      this.#files.forget(task)
    })
  }

  /** Closes every descriptor, for a daemon that stops. */
  async closeAll(): Promise<void> {
    await Promise.all(
      this.#views.openIds().map((id) => this.#turns.take(id, async () => this.#views.drop(id))),
    )
  }

  paths(task: TaskPlace): HandoffPaths {
    const view = viewPath(task)
    return {
      view,
      promptFile: `${view}/prompt.md`,
      resultFile: `${view}/result.json`,
      outputLog: this.#originals.path(task.id, 'output.log'),
    }
  }

  #sessionName = ({ id, runtime }: Pick<TaskSummary, 'id' | 'runtime'>) =>
    this.#terminal.sessionName(id, placeOfRuntime(runtime))

  #stateOf = (task: TaskSummary) => stateText(task, this.#sessionName(task))

  #inTurn<T>(task: TaskPlace, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(task.id, work)
  }

  /** The files that must survive a power cut are synced together, while the store writes the task. */
  async #fill(draft: TaskDraft, env: Readonly<Record<string, string>>): Promise<void> {
    const { id } = draft
    const texts = {
      env: JSON.stringify(env),
      'state.json': draftStateText(draft, this.#sessionName(draft)),
      'prompt.md': promptText(draft),
      'session.log': '',
      'output.log': '',
    }
    for (const [name, text] of Object.entries(texts)) await this.#originals.replace(id, name, text)
    const trouble = await this.#files.prepare(draft)
    if (isHoldfastError(trouble)) throw trouble
    const syncing = this.#originals.sync(id, trouble ? ['env'] : ['env', VIEW_RECORD])
    // The error is thrown by `finishDraft`.
    syncing.catch(() => {})
    this.#syncing.set(id, syncing)
  }

  /** The draft's marker is removed last: until then the next start tries again. */
  async #remove(task: TaskPlace): Promise<void> {
    this.#syncing.delete(task.id)
    this.#files.forget(task)
    await this.#views.remove(task).catch(() => {})
    await this.#originals.remove(task.id)
    await this.#drafts.remove(task.id)
  }
}

function isJson(text: string | undefined): text is string {
  try {
    JSON.parse(text ?? '')
    return true
  } catch {
    return false
  }
}
