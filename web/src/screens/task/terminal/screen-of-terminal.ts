// Owns the terminal emulator: it has the size of the agent's pane, and its letters are as large as fit, but never too small
// to be read: then it is scrolled sideways.
import { type ITheme, Terminal } from '@xterm/xterm'

const LARGEST_FONT_PX = 15
const SMALLEST_FONT_PX = 11
/** The width of a letter as a part of its height, in the page's fonts. */
const LETTER = 0.602

export type TerminalScreen = ReturnType<typeof terminalScreen>

/** Leaves typing. In a terminal it is Enter: no agent loses a key of its own. */
const isLeaving = ({ key, ctrlKey, shiftKey }: KeyboardEvent) => key === 'Enter' && ctrlKey && shiftKey

export function terminalScreen(
  element: HTMLElement,
  { onTyped, onLeave }: { readonly onTyped: (text: string) => void; readonly onLeave: () => void },
) {
  const terminal = new Terminal({
    scrollback: 0,
    disableStdin: true,
    cursorBlink: false,
    // Agents choose colours for a dark terminal, or for a light one.
    minimumContrastRatio: 4.5,
    fontFamily: getComputedStyle(element).fontFamily,
    theme: themeOf(element),
  })
  keepQuiet(terminal)
  terminal.open(element)
  terminal.onData(onTyped)
  terminal.attachCustomKeyEventHandler((event) => {
    const isTyping = terminal.options.disableStdin !== true
    if (isTyping && isLeaving(event)) {
      if (event.type === 'keydown') onLeave()
      return false
    }
    // Whoever only looks goes on with Tab: the emulator would keep it.
    return isTyping || event.key !== 'Tab'
  })
  const fitLetters = () => {
    const wide = (element.parentElement?.clientWidth ?? 0) / terminal.cols / LETTER
    terminal.options.fontSize = Math.max(
      SMALLEST_FONT_PX,
      Math.min(LARGEST_FONT_PX, Math.floor(wide * 4) / 4),
    )
  }
  /** The last lines are tmux's own. Who types needs them: tmux asks there. Who looks does not. */
  let statusLines = 0
  const crop = () => {
    const isTyping = terminal.options.disableStdin !== true
    const lines = terminal.rows - (isTyping ? 0 : statusLines)
    element.style.overflow = 'hidden'
    element.style.height = `${(screenHeight(element) / terminal.rows) * lines}px`
  }
  const watcher = new ResizeObserver(() => {
    fitLetters()
    crop()
  })
  if (element.parentElement !== null) watcher.observe(element.parentElement)
  return {
    write: (bytes: Uint8Array) => terminal.write(bytes),
    resize(columns: number, rows: number, ofTmux: number) {
      statusLines = ofTmux
      terminal.resize(columns, rows)
      fitLetters()
      crop()
    },
    setTyping(on: boolean) {
      terminal.options.disableStdin = !on
      crop()
      if (on) terminal.focus()
    },
    clear: () => terminal.reset(),
    dispose() {
      watcher.disconnect()
      terminal.dispose()
    },
  }
}

/** How high the emulator draws all its lines. */
const screenHeight = (element: HTMLElement) =>
  element.querySelector<HTMLElement>('.xterm-screen')?.offsetHeight ?? 0

/** tmux asks what kind of terminal this is. An answer would go the way of the keys, and would count as typed. */
function keepQuiet({ parser }: Terminal): void {
  const swallow = () => true
  for (const prefix of ['', '>', '='])
    parser.registerCsiHandler({ ...(prefix && { prefix }), final: 'c' }, swallow)
  for (const prefix of ['', '?'])
    parser.registerCsiHandler({ ...(prefix && { prefix }), final: 'n' }, swallow)
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, swallow)
  for (const colour of [10, 11, 12]) parser.registerOscHandler(colour, (asked) => asked === '?')
}

function themeOf(element: HTMLElement): ITheme {
  const style = getComputedStyle(element)
  const of = (name: string) => style.getPropertyValue(name).trim()
  return {
    background: of('--code'),
    foreground: of('--ink'),
    cursor: of('--accent'),
    selectionBackground: of('--edge'),
  }
}
