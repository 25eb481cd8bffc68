// Owns the table of all commands. Help, completion, argument checks, input types and docs tests are made from it.
import type { Command, Input, Option } from './command.ts'
import { answerCommands } from './command-table/answer.ts'
import { fixCommands } from './command-table/fix.ts'
import { journalCommands } from './command-table/journal.ts'
import { notifyCommands } from './command-table/notify.ts'
import { orchestrateCommands } from './command-table/orchestrate.ts'
import { putAwayCommands } from './command-table/put-away.ts'
import { runtimeCommands } from './command-table/runtime.ts'
import { setUpCommands } from './command-table/set-up.ts'
import { shellCommands } from './command-table/shell.ts'
import { startCommands } from './command-table/start.ts'
import { threadCommands } from './command-table/threads.ts'
import { watchCommands } from './command-table/watch.ts'
import { webCommands } from './command-table/web.ts'

export const globalOptions = [
  { name: 'home', value: 'DIR', about: 'Where Holdfast keeps its state.', default: '$HOLDFAST_HOME' },
  { name: 'json', about: 'Answer in JSON; errors too, as {"error":{code,message,hint}} on stdout.' },
  { name: 'help', short: 'h', about: 'Show help.' },
  { name: 'version', short: 'V', about: 'Show the version.' },
] as const satisfies readonly Option[]

export const commands = [
  ...startCommands,
  ...watchCommands,
  ...answerCommands,
  ...threadCommands,
  ...fixCommands,
  ...putAwayCommands,
  ...runtimeCommands,
  ...orchestrateCommands,
  ...setUpCommands,
  ...webCommands,
  ...shellCommands,
  ...notifyCommands,
  ...journalCommands,
] as const satisfies readonly Command[]

type Row = (typeof commands)[number]
export type CommandName = Row['name']
/** What a command's code receives. */
export type InputOf<Name extends CommandName> = Input<Extract<Row, { name: Name }>>
