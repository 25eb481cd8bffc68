import { execFileSync } from 'node:child_process'

export const makeFifo = (path: string) => void execFileSync('mkfifo', [path])
