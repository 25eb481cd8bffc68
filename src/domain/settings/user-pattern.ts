// Owns the patterns that a user may write in the settings: JavaScript regular expressions that can be matched in linear time.
import { BadSetting } from '../bad-setting.ts'
import { linearPattern } from '../text/linear-pattern.ts'

/** Returns the pattern, or throws BadSetting when it cannot be used. `at`: its place inside the setting, for the error. */
export function checkUserPattern(raw: unknown, at: string, longest: number): string {
  if (typeof raw !== 'string' || raw === '' || raw.length > longest || raw.includes('\0'))
    throw new BadSetting(`must be a regular expression of at most ${longest} characters`, at)
  try {
    new RegExp(raw)
  } catch (error) {
    throw new BadSetting(`is not a regular expression: ${(error as Error).message}`, at)
  }
  try {
    linearPattern(raw)
  } catch (error) {
    throw new BadSetting(`cannot be used: ${(error as Error).message}`, at)
  }
  return raw
}
