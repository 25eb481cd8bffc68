// Set up before each file of `npm run test:quick`: whoever starts a process there fails, whatever the imports say.
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

const STARTS = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const

for (const name of STARTS)
  Object.assign(childProcess, {
    [name]: (program: unknown) => {
      throw new Error(`test:quick starts no processes, and this is one: ${name} ${program}`)
    },
  })
syncBuiltinESMExports()
