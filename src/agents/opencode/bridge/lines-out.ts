import { appendFileSync, openSync } from 'node:fs'

export type Tell = (event: object) => void

/** One write per line, so that two writers never mix. */
export function appendTo(target: string | number): Tell {
  const file = typeof target === 'number' ? target : openSync(target, 'a', 0o600)
  return (event) => appendFileSync(file, `${JSON.stringify(event)}\n`)
}

/** A full disk must not end a person's screen: what the events leave out, the screen tells. */
export const quietly =
  (tell: Tell): Tell =>
  (event) => {
    try {
      tell(event)
    } catch {}
  }
