// Owns the form in which a living agent gets a prompt: plain text, and nothing that an agent takes for a command.

/** Agents run such a text as a shell command (`!`) or as a command of their own (`/`), even after blanks. */
const LOOKS_LIKE_A_COMMAND = /^\s*[!/]/

/** Newlines and tabs stay. ESC is removed, so that the text cannot contain the end marker of a paste. */
export const withoutControls = (text: string) =>
  text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')

export function spokenText(prompt: string): string {
  const text = withoutControls(prompt).trim()
  const begun = LOOKS_LIKE_A_COMMAND.test(text) ? `Task: ${text}` : text
  return endsInMention(begun) ? `${begun} ` : begun
}

/** A final `@…` opens a list of files: Enter would choose a file instead of sending the prompt. */
const endsInMention = (text: string) => text.split(/\s/).at(-1)?.includes('@') === true
