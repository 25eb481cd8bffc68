import { fileURLToPath } from 'node:url'

/** As the daemon starts it: from what was built. */
export const opencodeBridge = [
  process.execPath,
  fileURLToPath(new URL('../../dist/opencode-bridge.js', import.meta.url)),
]
