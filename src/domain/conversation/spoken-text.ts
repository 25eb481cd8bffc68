// Owns what a prompt becomes before a living agent gets it: text, and nothing that an agent takes for a command.

/** Runs as a shell command in some agents, as a command of the agent's own in others, even after blanks. */
const LOOKS_LIKE_A_COMMAND = /^\s*[!/]/
/** Opens a list of files; Enter would then choose one instead of sending. */
const ENDS_IN_A_MENTION = /@\S*$/

/** Newlines and tabs stay. The end marker of a paste cannot occur without its ESC. */
export const withoutControls = (text: string) =>
  text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')

export function spokenText(prompt: string): string {
  const text = withoutControls(prompt).trim()
  const begun = LOOKS_LIKE_A_COMMAND.test(text) ? `Task: ${text}` : text
  return ENDS_IN_A_MENTION.test(begun) ? `${begun} ` : begun
}
