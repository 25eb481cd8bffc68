// Owns when and how text is coloured.

const codes = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1 } as const
export type Colour = keyof typeof codes
export type Paint = (colour: Colour, text: string) => string

/** Only on a terminal, unless FORCE_COLOR; never with NO_COLOR (https://no-color.org). */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return !['', '0', 'false'].includes(env.FORCE_COLOR)
  return isTerminal && env.TERM !== 'dumb'
}

export const paintIf =
  (wanted: boolean): Paint =>
  (colour, text) =>
    wanted && text !== '' ? `\x1b[${codes[colour]}m${text}\x1b[0m` : text
