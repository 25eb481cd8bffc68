// Owns the mode `--json`: one prompt from stdin, JSON lines on stdout.
import { printEvent, printGarbage } from '../playing/events.ts'
import { untilEnded } from '../playing/pause.ts'
import { play } from '../playing/play.ts'
import type { Session } from '../playing/session-file.ts'
import type { Ending, Stage } from '../playing/stage.ts'
import { readStdin, type Stdin } from './read-stdin.ts'

export async function playHeadless(session: Session, model: string | undefined): Promise<Ending> {
  printEvent({ type: 'session', id: session.id, model })
  const stdin = await readStdin(process.stdin.setEncoding('utf8'))
  session.hear(stdin.prompt)
  printEvent({ type: 'prompt', text: stdin.prompt })
  return play({ prompt: stdin.prompt, end: session.steps.length }, session, stageOf(session, stdin))
}

function stageOf(session: Session, stdin: Stdin): Stage {
  const { signal } = new AbortController()
  return {
    signal,
    emit: printEvent,
    garbage: printGarbage,
    freeze() {},
    async ask(question, options) {
      const known = session.answerTo(question)
      if (known !== undefined) return known
      printEvent({ type: 'ask', question, options })
      const answer = (await stdin.nextAnswer()) ?? (await untilEnded(signal))
      session.answered(answer)
      return answer
    },
  }
}
