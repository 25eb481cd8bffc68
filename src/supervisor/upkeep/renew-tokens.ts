// Owns that a living run can always prove who it is: its token is replaced long before it expires.
import { messageOf } from '../../domain/errors.ts'
import { isDueForRenewal } from '../../domain/run/token-claims.ts'
import type { Core, Watch } from '../task/core.ts'

type Needs = Pick<Core, 'clock' | 'config' | 'log' | 'runFiles' | 'tokens' | 'watched'>

/** Called by the tick: it costs a comparison for each run that needs nothing. Trouble with one keeps nobody from the others. */
export async function renewTokens(core: Needs): Promise<void> {
  const now = core.clock.now()
  for (const watch of [...core.watched.values()])
    if (watch.run.state === 'live' && isDueForRenewal(watch.tokenExpires, core.config['token.lifetime'], now))
      await renewToken(watch, core).catch((error) =>
        core.log.error('a token could not be renewed', { run: watch.run.id, error: messageOf(error) }),
      )
}

export async function renewToken(
  watch: Watch,
  { runFiles, tokens }: Pick<Core, 'runFiles' | 'tokens'>,
): Promise<void> {
  const { text, expires } = await tokens.issue(watch.run.id, watch.task.id)
  await runFiles.renewToken(watch.run.id, text)
  watch.tokenExpires = expires
}
