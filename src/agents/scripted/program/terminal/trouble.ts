// Owns the bad manners of the terminal mode, for tests of whoever types into it: SCRIPTED_AGENT_TROUBLE names them.

/** Shares are of all pastes, from 0 to 1. */
export type Trouble = {
  /** Milliseconds without a picture at the start. */
  readonly slowStartMs: number
  /** Draws everything anew after so many milliseconds, again and again; 0: only when something changed. */
  readonly repaintMs: number
  /** Share of pastes after which a dialog takes the place of the box for a while. */
  readonly dialogShare: number
  /** Share of pastes after which the agent is killed. */
  readonly deathShare: number
  /** Share of pastes within which the agent is killed: it has read the beginning, and takes nothing of it. */
  readonly cutShare: number
  /** Milliseconds for which it still looks idle after a turn began; what it is sent meanwhile is queued. */
  readonly looksIdleMs: number
  /** A long paste is shown as `[Pasted text #1 +2 lines]`. */
  readonly chips: boolean
  /** Enter empties the box, and nothing comes of it, in the first so many lives of its session. */
  readonly deafLives: number
}

const NONE: Trouble = {
  slowStartMs: 0,
  repaintMs: 0,
  dialogShare: 0,
  deathShare: 0,
  cutShare: 0,
  looksIdleMs: 0,
  chips: false,
  deafLives: 0,
}

const KINDS: Readonly<Record<string, (value: number) => Partial<Trouble>>> = {
  'slow-start': (seconds) => ({ slowStartMs: seconds * 1000 }),
  repaint: (ms) => ({ repaintMs: ms }),
  dialog: (share) => ({ dialogShare: share }),
  dies: (share) => ({ deathShare: share }),
  cut: (share) => ({ cutShare: share }),
  queues: (ms) => ({ looksIdleMs: ms }),
  chips: () => ({ chips: true }),
  deaf: (lives) => ({ deafLives: lives }),
}

/** `slow-start=2 repaint=100 dialog=0.2 dies=0.02 cut=0.02 queues=500 chips deaf=1`: any of them, separated by blanks. */
export function troubleOf(text = ''): Trouble {
  const words = text.split(' ').filter((word) => word !== '')
  return Object.assign({}, NONE, ...words.map(readWord))
}

function readWord(word: string): Partial<Trouble> {
  const [name = '', value = '0'] = word.split('=')
  const amount = Number(value)
  const read = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
  if (read === undefined || !(amount >= 0)) throw new Error(`SCRIPTED_AGENT_TROUBLE: '${word}' is unknown`)
  return read(amount)
}

const LONG_LINES = 3
const LONG_CHARACTERS = 400

/** What the box shows of a paste. */
export function chipOf(text: string, number: number): string | undefined {
  const lines = text.split('\n').length
  if (lines < LONG_LINES && text.length < LONG_CHARACTERS) return undefined
  return `[Pasted text #${number}${lines > 1 ? ` +${lines - 1} lines` : ''}]`
}
