// The scripted agent: a coding agent without a model, for demos and tests. docs/scripted-agent.md
import { parseArgs } from 'node:util'
import { endProcess } from './playing/end-process.ts'
import { Session } from './playing/session-file.ts'
import type { Ending } from './playing/stage.ts'
import { converse } from './stdin/converse.ts'
import { playHeadless } from './stdin/headless.ts'
import { playInTerminal } from './terminal/tui.ts'

const USAGE = `Usage: holdfast-scripted-agent --json [--session-id ID | --resume ID] [--model M] < prompt
       holdfast-scripted-agent --json --converse [--session-id ID | --resume ID] [--model M]
       holdfast-scripted-agent --tui [--session-id ID | --resume ID] [--model M] [--status-clock]
Lines of the prompt that begin with do: are its steps; docs/scripted-agent.md lists them.`

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

async function main(): Promise<never> {
  const options = readOptions()
  const { resume } = options
  const session = resume === undefined ? Session.create(options['session-id']) : Session.resume(resume)
  return endProcess(await playIn(session, options))
}

function playIn(session: Session, options: ReturnType<typeof readOptions>): Promise<Ending> {
  if (options.tui) return playInTerminal(session, { statusClock: options['status-clock'] })
  return options.converse ? converse(session, options.model) : playHeadless(session, options.model)
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      converse: { type: 'boolean', default: false },
      tui: { type: 'boolean', default: false },
      'session-id': { type: 'string' },
      resume: { type: 'string' },
      model: { type: 'string' },
      'status-clock': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    process.exit(0)
  }
  const both = values.resume !== undefined && values['session-id'] !== undefined
  if (values.json === values.tui || (values.converse && values.tui) || both) throw new Error(USAGE)
  if (values.tui && !(process.stdin.isTTY && process.stdout.isTTY)) throw new Error('--tui needs a terminal')
  return values
}
