// Owns writing event lines.
import { appendFileSync, openSync } from 'node:fs'

export type WriteLine = (event: object) => void

/** One write per line, so that the lines of two writers never mix. */
export function appendTo(target: string | number): WriteLine {
  const file = typeof target === 'number' ? target : openSync(target, 'a', 0o600)
  return (event) => appendFileSync(file, `${JSON.stringify(event)}\n`)
}

/** A full disk must not end a person's screen: what is missing in the event lines is read from the screen. */
export const ignoringErrors =
  (write: WriteLine): WriteLine =>
  (event) => {
    try {
      write(event)
    } catch {}
  }
