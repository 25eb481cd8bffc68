import { isatty } from 'node:tty'
import { HoldfastError } from '../../../domain/errors.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { writeOut } from '../../render/print/write-out.ts'
import { reportPage } from '../../report/page.ts'

export async function report({ args }: InputOf<'report'>, context: Context): Promise<number> {
  if (!context.json && isatty(1))
    throw new HoldfastError(
      'USAGE',
      'A report is a page for a browser: send it to a file, as in `> report.html`.',
    )
  const told = await context.daemon().call('GET /api/tasks/:id/report', { id: args.id })
  if (context.json) context.show(told, () => [])
  else await writeOut(Buffer.from(reportPage(told)))
  return 0
}
