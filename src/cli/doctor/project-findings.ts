// Owns what `doctor` reports about the settings of the current project.
import { errorCatalogue } from '../../domain/errors/catalogue.ts'
import { isHoldfastError } from '../../domain/errors.ts'
import { waitingNotes } from '../../domain/settings/merge-config.ts'
import { filePlaces } from '../../system/places/places.ts'
import { loadConfig, userConfigDir } from '../../system/settings/load-config.ts'
import type { Finding } from './diagnose.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Empty when nothing is wrong. Also reports what is wrong with the user's own settings. */
export async function projectFindings(env: Env, dir: string): Promise<Finding[]> {
  try {
    const loaded = await loadConfig(userConfigDir(env), await filePlaces.projectRoot(dir))
    return waitingNotes(loaded).map((note) => finding('warn', note, errorCatalogue.NOT_TRUSTED.hint))
  } catch (error) {
    if (!isHoldfastError(error, 'CONFIG_INVALID', 'CONFIG_UNSAFE', 'NOT_TRUSTED')) throw error
    const { hint } = errorCatalogue[error.code]
    return [finding(error.code === 'NOT_TRUSTED' ? 'warn' : 'fail', error.message, hint)]
  }
}

const finding = (state: Finding['state'], detail: string, fix: string): Finding => ({
  name: 'config',
  state,
  detail,
  fix,
})
