import { homedir } from 'node:os'
import { serviceFile } from '../../system/service/service-file.ts'
import type { Context } from '../context.ts'
import { daemonScript } from '../wire/daemon-script.ts'

/** Variables by which the daemon finds its settings and programs: a service starts with almost no environment. */
const KEPT = ['PATH', 'XDG_CONFIG_HOME']

/** The file that would make this installation a service for this home. */
export function ownService({ home, env }: Pick<Context, 'home' | 'env'>) {
  const kept = KEPT.flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  return serviceFile(
    {
      node: process.execPath,
      daemon: daemonScript(),
      home,
      env: { HOLDFAST_HOME: home, ...Object.fromEntries(kept) },
    },
    env.HOME || homedir(),
  )
}
