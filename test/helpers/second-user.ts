// Somebody else on the same machine. Only root can act as another user.
import { execFileSync } from 'node:child_process'

const NOBODY = 65534

/** Undefined, with the reason printed, where nobody else can be acted for. */
export function secondUser() {
  if (process.getuid?.() !== 0) {
    console.log('skipped: only root can act as another user')
    return undefined
  }
  const as = (program: string, ...args: string[]) => {
    const who = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
    return execFileSync('setpriv', [...who, program, ...args], { encoding: 'utf8', cwd: '/' })
  }
  try {
    as('true')
  } catch {
    console.log('skipped: setpriv cannot change the user here')
    return undefined
  }
  return {
    uid: NOBODY,
    sh: (script: string, ...args: string[]) => as('sh', '-ec', script, 'sh', ...args),
    as,
  }
}
