// OpenCode's bridge: it has no protocol on stdin, but a server. This program starts that server for one session, says
// our lines to it, and tells its events as lines; with --tui the person gets OpenCode's own screen on the same session.
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
    /** Whatever it asks permission for is granted. */
    auto: { type: 'boolean', default: false },
    /** With its screen on this terminal; then lines come from `input`, and `events` gets ours. */
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
