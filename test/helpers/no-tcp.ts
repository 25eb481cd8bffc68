// What the caller's middleware needs beside the unix socket, for tests in which nothing comes over TCP.
import type { ServerContext } from '../../src/server/context.ts'
import { tcpLimits } from '../../src/server/web/tcp-limits.ts'
import { FileWebKeys } from '../../src/system/web/file-web-keys.ts'
import { TestClock } from './test-clock.ts'

export const noTcp = () => {
  const clock = new TestClock()
  return {
    keys: new FileWebKeys({ path: '/nowhere', clock }),
    about: { node_id: 'node-1' } as ServerContext['about'],
    limits: tcpLimits({ clock }),
  }
}
