// Owns reading why a daemon ended: its last line on stderr, `{"fatal":{code,message},"pid"}`.
import { readFileSync } from 'node:fs'
import { isErrorCode } from '../../domain/errors/catalogue.ts'
import { HoldfastError } from '../../domain/errors.ts'

/** The line that the daemon with this pid wrote when it ended after an error. Undefined when it wrote none. */
export function lastLineOf(pid: number, stderr: string): string | undefined {
  return stderr.split('\n').findLast((line) => line.endsWith(`"pid":${pid}}`))
}

export function fatalErrorIn(line: string): HoldfastError | undefined {
  if (!line.includes('"fatal"')) return undefined
  try {
    const { code, message } = JSON.parse(line).fatal
    return isErrorCode(code) ? new HoldfastError(code, String(message)) : undefined
  } catch {
    return undefined
  }
}

/** The error with which this daemon ended; undefined when it ended as it should, or nothing is known. */
export function endedWith(pid: number, stderrPath: string): HoldfastError | undefined {
  try {
    const last = lastLineOf(pid, readFileSync(stderrPath, 'utf8'))
    return last === undefined ? undefined : fatalErrorIn(last)
  } catch {
    return undefined
  }
}
