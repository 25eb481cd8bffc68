// The bridge to OpenCode, which has a server instead of a protocol on stdin. This program starts that server for one session,
// sends our lines to it, and writes its events as lines. With --tui, the person gets OpenCode's own screen for the session.
import { parseArgs } from 'node:util'
import { Bridge } from './bridge.ts'
import { followFile, readLines } from './lines-in.ts'
import { appendTo, ignoringErrors } from './lines-out.ts'
import { startServer, startTui } from './programs.ts'
import { startServerProxy } from './server-proxy.ts'
import { stopOf } from './stop.ts'

const STDOUT = 1

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: process.cwd() },
    session: { type: 'string' },
    model: { type: 'string' },
    agent: { type: 'string' },
    /** Every permission that OpenCode asks for is granted. */
    auto: { type: 'boolean', default: false },
    /** With OpenCode's screen on this terminal; then lines are read from the file `input` and written to the file `events`. */
    tui: { type: 'boolean', default: false },
    input: { type: 'string', default: '' },
    events: { type: 'string', default: '' },
  },
})

const stop = stopOf(process)
process.on('uncaughtException', stop.fail)
try {
  const server = await startServer(values, stop)
  const write = values.tui ? ignoringErrors(appendTo(values.events)) : appendTo(STDOUT)
  const bridge = new Bridge(server.api, values, write)
  stop.before(() => bridge.abort())
  const session = await bridge.open()
  void bridge.follow().then(() => stop.fail('the event stream of opencode ended'), stop.fail)
  const hear = (line: string) => bridge.hear(line)
  if (values.tui) {
    const proxy = await startServerProxy(server.url)
    startTui({ ...server, url: proxy.url }, session, values.dir, stop)
    await proxy.listening
    followFile(values.input, hear)
  } else void readLines(process.stdin, hear).then(() => stop.exit(0), stop.fail)
} catch (error) {
  stop.fail(error)
}
