// Owns writing a task's files to both places: first the original in the home, then the view in the project.
import { isHoldfastError, messageOf } from '../domain/errors.ts'
import type { TaskId } from '../domain/names/ids.ts'
import { codeOf } from '../domain/system-error.ts'
import type { Clock } from '../ports/clock.ts'
import type { LogLine, TaskPlace } from '../ports/files/handoff.ts'
import { orchestratorLine, remarkLine, sessionLine } from './log-line.ts'
import type { Growth, Originals } from './originals.ts'
import { LOGS, OURS, packedName, SHARED, type View } from './view.ts'
import { viewPath } from './view-directory.ts'
import type { Views } from './views.ts'

type Needs = {
  readonly originals: Originals
  readonly views: Views
  readonly clock: Pick<Clock, 'now'>
}

export class MirroredFiles {
  readonly #needs: Needs
  /** Of each task: the troubles with its view that are already in its log. */
  readonly #remarked = new Map<TaskId, Set<string>>()
  constructor(needs: Needs) {
    this.#needs = needs
  }

  async replace(task: TaskPlace, name: string, text: string, options?: { durable: boolean }): Promise<void> {
    await this.#needs.originals.replace(task.id, name, text, options)
    await this.onView(task, (view) => view.copyIn(name, this.#original(task, name)))
  }

  /** Returns the original's new length. */
  async append(task: TaskPlace, name: string, text: string, at?: number): Promise<number> {
    const growth = await this.#needs.originals.append(task.id, name, text, at)
    await this.#follow(task, name, growth, text)
    return growth.after
  }

  async log(task: TaskPlace, lines: readonly LogLine[]): Promise<void> {
    const { text, growth } = await this.#appendToLogs(task, lines)
    await this.#follow(task, 'session.log', growth, text)
  }

  restore(task: TaskPlace): Promise<Error | undefined> {
    return this.onView(task, (view) => this.#putBack(task, view))
  }

  /** Packs those logs of the view whose originals are packed. */
  async packView(task: TaskPlace): Promise<void> {
    const packed = LOGS.filter((name) => this.#needs.originals.isPacked(task.id, name))
    if (packed.length === 0) return
    await this.onView(task, async (view) => {
      for (const name of packed) await view.copyInPacked(name, this.#original(task, packedName(name)))
    })
  }

  /** Creates the view, still empty. Its record is not synced yet. */
  prepare(task: TaskPlace): Promise<Error | undefined> {
    return this.#remarkTrouble(task, () => this.#needs.views.open(task, { durable: false }))
  }

  /** Works on the view; if it had to be created again, it is filled instead. Trouble is logged once, and returned. */
  onView(task: TaskPlace, work: (view: View) => Promise<void>): Promise<Error | undefined> {
    return this.#remarkTrouble(task, async () => {
      const { view, isNew } = await this.#needs.views.open(task)
      if (isNew) this.#remarked.delete(task.id)
      await (isNew ? this.#putBack(task, view) : work(view))
    })
  }

  forget(task: TaskPlace): void {
    this.#remarked.delete(task.id)
    this.#needs.views.forget(task.id)
  }

  async #remarkTrouble(task: TaskPlace, work: () => Promise<unknown>): Promise<Error | undefined> {
    try {
      await work()
      return undefined
    } catch (error) {
      if (isHoldfastError(error) && error.code !== 'HANDOFF_UNSAFE') throw error
      const trouble = isHoldfastError(error) ? error : unusable(task, error)
      await this.#remarkOnce(task, trouble.message)
      return trouble
    }
  }

  #original = (task: TaskPlace, name: string) => this.#needs.originals.path(task.id, name)

  async #follow(task: TaskPlace, name: string, growth: Growth, text: string): Promise<void> {
    await this.onView(task, (view) => view.follow(name, this.#original(task, name), growth, text))
  }

  /** Copies the originals of missing or changed files. One file that cannot be copied does not stop the others. */
  async #putBack(task: TaskPlace, view: View): Promise<void> {
    const troubles: unknown[] = []
    const unless = async (name: string, isThere: (name: string) => boolean) => {
      try {
        if (!isThere(name)) await view.copyIn(name, this.#original(task, name))
      } catch (error) {
        troubles.push(error)
      }
    }
    for (const name of OURS) await unless(name, (ours) => view.isAsWeLeftIt(ours))
    for (const name of SHARED) await unless(name, (shared) => view.has(shared))
    if (troubles.length > 0) throw troubles[0]
  }

  async #remarkOnce(task: TaskPlace, message: string): Promise<void> {
    const told = this.#remarked.get(task.id) ?? new Set()
    if (told.has(message)) return
    this.#remarked.set(task.id, told.add(message))
    await this.#appendToLogs(task, [remarkLine(this.#needs.clock.now(), 'Handoff directory', message)])
    this.#needs.views.outdate(task.id, 'session.log')
  }

  /** Appends to the originals only. The global log first: after a crash it may have a line twice, but never lacks one. */
  async #appendToLogs(task: TaskPlace, lines: readonly LogLine[]): Promise<{ text: string; growth: Growth }> {
    const text = lines.map(sessionLine).join('')
    await this.#needs.originals.appendToOrchestratorLog(
      lines.map((line) => orchestratorLine(task.id, line)).join(''),
    )
    return { text, growth: await this.#needs.originals.append(task.id, 'session.log', text) }
  }
}

/** Names only the error code: messages of system calls name descriptors, and would count as new each time. */
function unusable(task: TaskPlace, cause: unknown): Error {
  const why = codeOf(cause) ?? messageOf(cause)
  return new Error(`${viewPath(task)} cannot be used: ${why}.`, { cause })
}
