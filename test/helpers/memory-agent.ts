// A scripted agent's interface in a pane in memory: draws as the real one, and takes what is typed into its box.

import { layOut, type View } from '../../src/agents/scripted/program/terminal/screen.ts'
import type { TaskId } from '../../src/domain/names/ids.ts'
import type { CoreInTime } from './core-in-time.ts'

const SIZE = { columns: 200, rows: 50 }

export class MemoryAgent {
  readonly #world: CoreInTime
  readonly #pane: string
  #view: View = {
    title: 'scripted agent',
    transcript: [],
    status: 'Idle',
    queued: [],
    box: '',
    hint: 'enter sends',
  }
  /** Enter empties its box, and nothing comes of it. */
  swallowsEnter = false
  /** What it does at once when it has heard something. */
  onHeard = () => {}
  /** Prompts and answers, with the time at which each was sent, and the dialog that an answer met. */
  readonly heard: { readonly text: string; readonly at: number; readonly dialog?: string }[] = []

  constructor(world: CoreInTime, id: TaskId) {
    this.#world = world
    this.#pane = id
    const { onTyped } = world.terminal
    world.terminal.onTyped = (name, typed) => (name === this.#pane ? this.#hear(typed) : onTyped(name, typed))
    this.#show({})
  }

  /** A resumed session shows what was said in it before. */
  recalls = (prompt: string) => this.#show({ transcript: [...this.#view.transcript, `> ${prompt}`] })

  /** A person's keys land in the box. */
  personDrafts(box: string): void {
    this.#world.terminal.personTypes(this.#pane)
    this.#show({ box })
  }

  asks(question: string, options: readonly string[]): void {
    this.#show({ status: `Asking: ${question}`, dialog: { question, options, chosen: 0 } })
  }

  /** It draws the same again, but for its clock. */
  drawsClock = (clock: string) => this.#show({ clock })

  /** Its turn is over. */
  says = (text: string) => this.#show({ status: 'Idle', transcript: [...this.#view.transcript, `✓ ${text}`] })

  /** It goes on with its turn, and prints a line. */
  prints = (text: string) => this.#show({ transcript: [...this.#view.transcript, `● ${text}`] })

  #hear(typed: string): void {
    const [, how, what = ''] = /^(\w+) (.*)$/s.exec(typed)!
    if (how === 'press') this.#send(what)
    else this.#show({ box: how === 'paste' ? what : '' })
  }

  /** Enter sends the box; the keys of a dialog answer it. */
  #send(keys: string): void {
    const { box, dialog, transcript } = this.#view
    if (this.swallowsEnter) {
      this.#show({ box: '' })
      return
    }
    const [text, line] = dialog === undefined ? [box, `> ${box}`] : [keys, `  answered: ${keys}`]
    const met = dialog === undefined ? {} : { dialog: dialog.question }
    this.heard.push({ text, at: this.#world.clock.now(), ...met })
    this.#show({
      box: '',
      dialog: undefined,
      status: '⠋ Working… esc to interrupt',
      transcript: [...transcript, line],
    })
    this.onHeard()
  }

  #show(change: { [K in keyof View]?: View[K] | undefined }): void {
    this.#view = { ...this.#view, ...change } as View
    const { lines, cursor } = layOut(this.#view, SIZE)
    const at = cursor === undefined ? { x: 0, y: lines.length - 1 } : { x: cursor.column, y: cursor.row }
    this.#world.terminal.draw(this.#pane, { text: lines.join('\n').trimEnd(), cursor: at })
  }
}
