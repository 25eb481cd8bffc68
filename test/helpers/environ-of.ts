import { readFileSync } from 'node:fs'
import { waitFor } from './wait-for.ts'

/** NAME=value of a process that has some; in the midst of exec it has none for a moment. */
export const environOf = (pid: number): Promise<string[]> =>
  waitFor(`the environment of process ${pid}`, () => {
    const text = readFileSync(`/proc/${pid}/environ`, 'utf8')
    return text !== '' && text.split('\0').filter((entry) => entry !== '')
  })
