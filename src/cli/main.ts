// The entry of `holdfast`: the process, and nothing else.
import { listenForInterrupt } from './interrupt.ts'
import { runCli } from './run-cli.ts'

listenForInterrupt()
// As in `holdfast list | head`: a reader that stops reading is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`Error: cannot write to stdout: ${error.message}\n`)
  process.exit(2)
})
void runCli(process.argv.slice(2)).then((exit) => {
  process.exitCode = exit
})
