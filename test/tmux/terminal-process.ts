// Runs a terminal in a process of its own, so that a test can stop or kill that process: <socket> [<name> <argv…>]
import { performance } from 'node:perf_hooks'
import { processIdentities } from '../../src/system/processes/identities.ts'
import { TmuxTerminal } from '../../src/tmux/tmux-terminal.ts'

const [socket, name, ...argv] = process.argv.slice(2)
const terminal = new TmuxTerminal({
  tmuxPath: 'tmux',
  socket: socket!,
  env: process.env,
  processes: processIdentities(),
  clock: {
    now: () => Date.now(),
    minuteOfDay: () => 0,
    monotonic: () => performance.now(),
    sleep: (ms) => new Promise((wake) => setTimeout(wake, ms)),
    after(ms, call) {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
  },
})
await terminal.start()
if (name) await terminal.open({ task: name, mark: name, argv, cwd: '/' })
console.log('ready')
