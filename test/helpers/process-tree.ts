import { readFileSync } from 'node:fs'

/** The names of the processes that this one has started and that have not ended. */
export function childNames(pid: number): string[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ')
  return children.map((child) => read(`/proc/${child}/comm`).trim())
}

/** This process and all that come from it. */
export function treeOf(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return [pid, ...children.flatMap(treeOf)]
}

export const parentOf = (pid: number) => Number(/^PPid:\t(\d+)$/m.exec(read(`/proc/${pid}/status`))![1])

/** Empty when the process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
