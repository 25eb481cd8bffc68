// Owns one turn: the remaining steps up to a point of the session's script, each recorded when it is finished.
import { parseStep } from '../script/parse-script.ts'
import { performStep } from './perform-step.ts'
import type { Session } from './session-file.ts'
import type { Ending, Stage } from './stage.ts'

const ECHO_LENGTH = 200

/** A turn answers `prompt` and goes up to step `end` of the session. */
export type Turn = { readonly prompt: string; readonly end: number }

/** Plays the turn and emits its result, unless the script makes it end without one. */
export async function play(turn: Turn, session: Session, stage: Stage): Promise<Ending> {
  if (session.done >= turn.end) return emitResult(echo(turn.prompt, stage), session, stage)
  while (session.done < turn.end) {
    const { ending, reached } = await playNext(turn, session, stage)
    if (ending) emitResult(ending, session, stage)
    if (stage.signal.aborted && ending) session.giveUp(reached)
    else if (reached > session.done) session.finished(reached)
    if (ending) return ending
  }
  return emitResult(success(`Steps done: ${turn.end}.`), session, stage)
}

/** A step that ends the process counts as finished, unless its ending has `again`: a resumed session goes on after it. */
async function playNext(turn: Turn, session: Session, stage: Stage) {
  const line = session.steps[session.done] ?? ''
  try {
    stage.signal.throwIfAborted()
    const step = parseStep(line)
    if (step.do === 'unreadable') throw new Error(step.why)
    const ending = await performStep(step, stage, session)
    return { ending, reached: ending?.again ? session.done : session.done + 1 }
  } catch (error) {
    if (stage.signal.aborted) return { ending: failure('Interrupted.'), reached: turn.end }
    const why = error instanceof Error ? error.message : String(error)
    return {
      ending: failure(`Step ${session.done + 1} (${line}) failed: ${why}.`),
      reached: session.done,
    }
  }
}

function echo(prompt: string, stage: Stage): Ending {
  const text = `ECHO: ${prompt.slice(0, ECHO_LENGTH)}`
  stage.emit({ type: 'say', text })
  return success(text)
}

function emitResult(ending: Ending, session: Session, stage: Stage): Ending {
  if (ending.kind === 'result') {
    const { ok, text, failure } = ending
    stage.emit({ type: 'result', ok, text, failure, session_id: session.id })
  }
  return ending
}

const success = (text: string): Ending => ({ kind: 'result', ok: true, text })
const failure = (text: string): Ending => ({ kind: 'result', ok: false, text })
