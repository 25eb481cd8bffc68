// Owns the live terminal of a session, loaded only when somebody opens it. It shows; it types only when switched on.
import '@xterm/xterm/css/xterm.css'
import { useEffect, useRef, useState } from 'react'
import { connectTerminal, type TerminalState } from '../../../data/task/live-terminal.ts'
import { Button } from '../../../parts/button.tsx'
import { Chip } from '../../../parts/chip.tsx'
import { classes } from '../../../parts/classes.ts'
import { type TerminalScreen, terminalScreen } from './screen-of-terminal.ts'

type Props = {
  readonly id: string
  /** There is none: the caller shows something else, and why. */
  readonly onRefused: (refused: { readonly message: string; readonly hint: string }) => void
}

export default function LiveTerminal({ id, onRefused }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const whole = useRef<HTMLElement>(null)
  const [wantsTyping, setWantsTyping] = useState(false)
  const [state, setState] = useState<TerminalState>({ kind: 'connecting' })
  const refuse = useRef(onRefused)
  refuse.current = onRefused

  useEffect(() => {
    if (place.current === null) return
    const onState = (next: TerminalState) => {
      setState(next)
      if (next.kind === 'live') {
        screen.clear()
        screen.setTyping(next.typing)
        if (!next.typing) setWantsTyping(false)
      }
      if (next.kind === 'cut_off') screen.setTyping(false)
      if (next.kind === 'refused') refuse.current(next.refused)
    }
    const screen: TerminalScreen = terminalScreen(place.current, {
      onTyped: (text) => connection.type(text),
      onLeave: () => {
        setWantsTyping(false)
        whole.current?.focus()
      },
    })
    const connection = connectTerminal(id, wantsTyping, {
      onState,
      onSize: screen.resize,
      onBytes: screen.write,
    })
    return () => {
      connection.close()
      screen.dispose()
    }
  }, [id, wantsTyping])

  const isTyping = state.kind === 'live' && state.typing
  return (
    <section
      ref={whole}
      tabIndex={-1}
      aria-label="Live terminal"
      className="overflow-auto bg-panel outline-none [&:fullscreen]:p-4"
    >
      <div className="mb-2 flex flex-wrap items-center gap-3 text-mut text-sm">
        <StateChip state={state} />
        <span role="status">
          {isTyping
            ? 'You type into the agent. Ctrl-B is tmux’s own key; Ctrl-Shift-Enter stops typing.'
            : 'You only look: keys go nowhere.'}
        </span>
        <Button kind="quiet" className="ml-auto" onClick={() => void whole.current?.requestFullscreen()}>
          Full screen
        </Button>
        <Button
          kind={isTyping ? 'danger' : 'plain'}
          aria-pressed={isTyping}
          disabled={state.kind !== 'live'}
          onClick={() => setWantsTyping(!isTyping)}
        >
          {isTyping ? 'Stop typing' : 'Type into the agent'}
        </Button>
      </div>
      <div
        className={classes(
          'overflow-x-auto rounded-md border bg-code p-2 font-mono',
          isTyping ? 'border-amber ring-1 ring-amber' : 'border-line',
          state.kind === 'cut_off' && 'opacity-50',
        )}
      >
        <div ref={place} className="font-mono" />
      </div>
    </section>
  )
}

function StateChip({ state }: { readonly state: TerminalState }) {
  if (state.kind === 'live')
    return state.typing ? <Chip word="typing" tone="amber" /> : <Chip word="live" tone="green" />
  if (state.kind === 'connecting') return <Chip word="connecting" tone="grey" outline />
  return <Chip word="cut off, trying again" tone="amber" outline />
}
