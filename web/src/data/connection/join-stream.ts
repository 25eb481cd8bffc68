// Owns the tab's way to the live stream: the worker that all tabs share, or, without one, a stream of the tab's own.
import { client } from './call.ts'
import { keepStream, type Stream, type StreamNews } from './keep-stream.ts'
import { hearTime } from './server-clock.ts'
import { FIRST_WORD_MS, type FromTab, HERE_MS, SILENCE_MS, type ToTab } from './shared-stream.ts'
import { hearVersion } from './version.ts'

type Tell = (news: StreamNews) => void

/** Not every browser has shared workers, and a script may fail to load: then the tab has a stream of its own. */
export function joinStream(tell: Tell): Stream {
  const alone = () => keepStream(client, tell)
  if (typeof SharedWorker === 'undefined') return alone()
  let wanted = false
  let stream: Stream
  try {
    stream = sharedStream(tell, () => {
      stream = alone()
      stream.want(wanted)
    })
  } catch {
    return alone()
  }
  return {
    want(next) {
      wanted = next
      stream.want(next)
    },
    askAgain: () => stream.askAgain(),
  }
}

/** `fail`: there is no worker to be had. */
function sharedStream(tell: Tell, fail: () => void): Stream {
  let lastHeard = 0
  let watch: ReturnType<typeof setInterval> | undefined
  let firstWord: ReturnType<typeof setTimeout> | undefined
  const rest = () => {
    clearInterval(watch)
    clearTimeout(firstWord)
  }
  const connect = () => {
    const { port, ...worker } = openWorker((news) => {
      clearTimeout(firstWord)
      lastHeard = performance.now()
      if (news.kind === 'heard') {
        hearTime(news.date)
        hearVersion(news.version)
      } else if (news.kind !== 'here') tell(news)
    }, giveUp)
    return { say: (said: FromTab) => port.postMessage(said), ...worker }
  }
  const giveUp = () => {
    rest()
    worker.leave()
    fail()
  }
  const join = () => {
    clearTimeout(firstWord)
    firstWord = setTimeout(giveUp, FIRST_WORD_MS)
    lastHeard = performance.now()
    worker.say('join')
  }
  const look = () => {
    if (performance.now() - lastHeard <= SILENCE_MS) return worker.say('here')
    // Its process died: the browser makes another one. A worker that only slept with the machine is joined again.
    worker.leave()
    worker = connect()
    join()
  }
  let worker = connect()
  return {
    want(wanted) {
      rest()
      if (!wanted) return worker.say('leave')
      join()
      watch = setInterval(look, HERE_MS)
    },
    askAgain: () => worker.say('ask_again'),
  }
}

/** `leave`: for good; nothing more is heard from it. */
function openWorker(hear: (news: ToTab) => void, onError: () => void) {
  const worker = new SharedWorker(new URL('./stream-worker.ts', import.meta.url), { name: 'holdfast' })
  const { port } = worker
  worker.onerror = onError
  port.onmessage = ({ data }: MessageEvent<ToTab>) => hear(data)
  const leave = () => {
    worker.onerror = null
    port.onmessage = null
    port.postMessage('leave' satisfies FromTab)
    port.close()
  }
  return { port, leave }
}
