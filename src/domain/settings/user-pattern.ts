// Owns what a user may write as a pattern in the settings: a JavaScript regular expression that is matched in linear time.
import { BadSetting } from '../bad-setting.ts'
import { linearPattern } from '../text/linear-pattern.ts'

/** BadSetting, with its place, unless it can be used. */
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
