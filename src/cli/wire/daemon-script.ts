import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file of this installation: beside the running program, with links resolved. */
export const besideCli = (name: string) => join(dirname(realpathSync(process.argv[1] ?? '')), name)

export const daemonScript = () => besideCli('daemon.js')
