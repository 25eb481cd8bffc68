// Owns the tab's way to the live stream: the worker that all tabs share, or, without one, a stream of the tab's own.
import { client } from './call.ts'
import { keepStream, type Stream, type StreamNews } from './keep-stream.ts'
import { hearTime } from './server-clock.ts'
import { type FromTab, HERE_MS, SILENCE_MS, type ToTab } from './shared-stream.ts'
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
  let lastHeard = performance.now()
  let timer: ReturnType<typeof setInterval> | undefined
  const connect = () => {
    const worker = new SharedWorker(new URL('./stream-worker.ts', import.meta.url), { name: 'holdfast' })
    worker.onerror = () => {
      clearInterval(timer)
      worker.port.onmessage = null
      worker.port.postMessage('leave' satisfies FromTab)
      fail()
    }
    worker.port.onmessage = ({ data }: MessageEvent<ToTab>) => {
      lastHeard = performance.now()
      if (data.kind === 'heard') {
        hearTime(data.date)
        hearVersion(data.version)
      } else if (data.kind !== 'here') tell(data)
    }
    return (said: FromTab) => worker.port.postMessage(said)
  }
  let say = connect()
  const look = () => {
    if (performance.now() - lastHeard > SILENCE_MS) {
      // Its process died: the browser makes another one. A worker that only slept with the machine is joined again.
      say('leave')
      lastHeard = performance.now()
      say = connect()
      say('join')
    } else say('here')
  }
  return {
    want(wanted) {
      clearInterval(timer)
      say(wanted ? 'join' : 'leave')
      if (!wanted) return
      lastHeard = performance.now()
      timer = setInterval(look, HERE_MS)
    },
    askAgain: () => say('ask_again'),
  }
}
