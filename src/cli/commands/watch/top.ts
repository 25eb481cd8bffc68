import { isatty } from 'node:tty'
import { HoldfastError } from '../../../domain/errors.ts'
import type { InputOf } from '../../commands.ts'
import { type Context, createContext } from '../../context.ts'
import { wantsColour } from '../../render/print/colour.ts'
import { Board } from '../../top/board.ts'
import { currentProject } from '../../wire/current-project.ts'

/** A live board of all sessions, until the person leaves it. */
export async function top({ options }: InputOf<'top'>, context: Context): Promise<number> {
  const { home, env, json } = context
  if (json || !isatty(0) || !isatty(1) || env.TERM === 'dumb')
    throw new HoldfastError(
      'USAGE',
      'top needs a terminal that it can draw on. Without one, use `holdfast list --json` for the sessions as they are, or `holdfast monitor <id>` to wait for one.',
    )
  const project = options['project-only'] ? await currentProject(context.path(), context.daemon()) : undefined
  const board = new Board({
    home,
    env,
    hasColour: wantsColour(env, true),
    // In JSON a context has no notices for people.
    context: createContext({ home, json: true }),
    query: { runtimes: '1', tag: options.tag, project },
    attach: async (id) => {
      const { attach } = await import('./attach.ts')
      await attach({ args: { id }, options: { 'read-only': false } }, context)
    },
  })
  const exitCode = await board.run()
  // Questions that are still open would keep the process.
  process.exit(exitCode)
}
