// Owns editing the settings in an editor: the text is checked, and an invalid one never replaces the settings.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { HoldfastError, isHoldfastError } from '../../../domain/errors.ts'
import { splitCommand } from '../../../domain/text/split-command.ts'
import { runInherited } from '../../../system/processes/exec.ts'
import { userConfigDir } from '../../../system/settings/load-config.ts'
import { readSettingsText, writeSettings } from '../../../system/settings/write-settings.ts'
import { ask, isYes } from '../../ask.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { refuseRun } from './config.ts'

const FIRST_LINES = '# Settings of Holdfast. Every key: `holdfast config show`, docs/config.md.\n'

export async function editConfig(_: InputOf<'config edit'>, context: Context): Promise<number> {
  refuseRun(context)
  if (!context.canAsk())
    throw new HoldfastError('USAGE', 'config edit needs a terminal; `holdfast config set` works without one.')
  const userDir = userConfigDir(context.env)
  const file = `${userDir}/config.yaml`
  const copy = join(mkdtempSync(join(tmpdir(), 'holdfast-config-')), 'config.yaml')
  const before = readSettingsText(file) || FIRST_LINES
  writeFileSync(copy, before, { mode: 0o600 })
  const changed = await editUntilValid(copy, before, userDir, context)
  rmSync(dirname(copy), { recursive: true })
  context.show({ file, changed }, () => [changed ? `Saved: ${file}` : 'Nothing was changed.'])
  return 0
}

/** True when something was saved. An invalid text is kept in the copy that was edited. */
async function editUntilValid(
  copy: string,
  before: string,
  userDir: string,
  context: Context,
): Promise<boolean> {
  for (;;) {
    await openEditor(copy, context)
    const text = readFileSync(copy, 'utf8')
    if (text === before) return false
    try {
      await writeSettings(userDir, text)
      return true
    } catch (error) {
      if (!isHoldfastError(error, 'CONFIG_INVALID')) throw error
      context.say(error.message)
      if (isYes(await ask('Edit it again? [y/N]: '))) continue
      throw new HoldfastError(
        'CONFIG_INVALID',
        `Your settings were not changed. What you wrote is in ${copy}.`,
      )
    }
  }
}

async function openEditor(copy: string, { env }: Context): Promise<void> {
  const editor = env.VISUAL || env.EDITOR || 'vi'
  const exit = await runInherited([...splitCommand(editor), copy], { env })
  if (exit !== 0)
    throw new HoldfastError(
      'USAGE',
      `The editor '${editor}' ended with exit code ${exit}, so your settings were not changed. To use another editor, set VISUAL or EDITOR.`,
    )
}
