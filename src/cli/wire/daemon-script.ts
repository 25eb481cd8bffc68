import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The daemon of this very installation: beside the program that runs, whatever link led to it. */
export const daemonScript = () => join(dirname(realpathSync(process.argv[1] ?? '')), 'daemon.js')
