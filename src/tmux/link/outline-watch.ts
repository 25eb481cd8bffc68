// Owns hearing from tmux that the outline of a pane has changed, without asking for it.
import { ALL_OUTLINES } from '../program/outline.ts'
import type { ControlClient } from './control-client.ts'

const NAME = 'hf_outlines'
const TOLD = `%subscription-changed ${NAME} `

export class OutlineWatch {
  readonly #listeners = new Set<() => void>()

  onChange = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** tmux looks at all outlines once a second. It forgets a subscription that comes before the client is attached. */
  async begin(client: ControlClient): Promise<void> {
    await client.attached
    await client.request(['refresh-client', '-B', `${NAME}::${ALL_OUTLINES}`])
  }

  hear = (notice: string): void => {
    if (notice.startsWith(TOLD)) for (const listener of this.#listeners) listener()
  }
}
