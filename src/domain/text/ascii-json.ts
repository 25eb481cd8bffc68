/**
 * JSON in plain ASCII, with all other characters escaped. For what a person reads before approving it: no character is
 * invisible, looks like another one, or changes the direction of the text.
 */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
