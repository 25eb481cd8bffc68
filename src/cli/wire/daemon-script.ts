import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The daemon of this installation: beside the running program, with links resolved. */
export const daemonScript = () => join(dirname(realpathSync(process.argv[1] ?? '')), 'daemon.js')
