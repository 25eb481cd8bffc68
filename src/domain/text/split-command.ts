// Owns how a command line becomes an argv: with a shell's quotes and backslashes, and nothing else of a shell.

/** Says why a text is not a single command line. */
class NotACommand extends Error {}

const BLANK = /\s/
/** Whoever writes one of these without quotes expects a shell. */
const SHELL_ONLY = '|&;<>()$`'

/** Quotes and backslashes work as in a shell; nothing is expanded. */
export function splitCommand(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\\' && quote !== "'") {
      if (at + 1 === text.length) throw new NotACommand('it ends with a backslash')
      const next = text.charAt(++at)
      // Between double quotes, a backslash only escapes these four characters.
      word = (word ?? '') + (quote === '"' && !'"\\$`'.includes(next) ? `\\${next}` : next)
    } else if (quote !== '') {
      if (char === quote) quote = ''
      else word += char
    } else if (char === "'" || char === '"') {
      quote = char
      word ??= ''
    } else if (BLANK.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (SHELL_ONLY.includes(char)) {
      throw new NotACommand(`no shell runs it, so '${char}' has no meaning; quote it, or write sh -c '…'`)
    } else word = (word ?? '') + char
  }
  if (quote !== '') throw new NotACommand(`a ${quote} is not closed`)
  if (word !== undefined) words.push(word)
  if (words.length === 0 || words[0] === '') throw new NotACommand('it names no program')
  return words
}
