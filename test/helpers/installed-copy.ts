// The built program in a directory that any user may read: a clone may lie where only its owner may look.
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CLI } from './world.ts'

/** What the built program needs beside it. */
const NEEDED = ['@photostructure/sqlite', 'node-gyp-build', 'node-addon-api']

/** Returns the path of the copied CLI. */
export function installedCopy(dir: string): string {
  const project = dirname(dirname(CLI))
  cpSync(join(project, 'dist'), join(dir, 'dist'), { recursive: true })
  cpSync(join(project, 'package.json'), join(dir, 'package.json'))
  for (const name of NEEDED)
    cpSync(join(project, 'node_modules', name), join(dir, 'node_modules', name), { recursive: true })
  return join(dir, 'dist/cli.cjs')
}
