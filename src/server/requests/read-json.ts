// Owns reading JSON from outside: a text with more than one possible meaning is refused.
import { HoldfastError } from '../../domain/errors.ts'

/** No request needs more levels, and with many more a recursive reader would run out of stack. */
const DEEPEST = 64

export function readJson(text: string): unknown {
  checkDepthAndKeys(text)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw bad('The request is not JSON.', cause)
  }
}

/** JSON.parse would silently take the last of two fields with the same name. */
function checkDepthAndKeys(text: string): void {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : null)
      if (open.length > DEEPEST) throw bad(`The request is nested deeper than ${DEEPEST} levels.`)
    } else if (char === '}' || char === ']') open.pop()
    else if (char === '"') {
      const end = endOfString(text, at)
      const keys = open.at(-1)
      if (keys && isColonNext(text, end + 1)) addKey(keys, text.slice(at, end + 1))
      at = end
    }
  }
}

/** Skips blanks, however many there are. */
function isColonNext(text: string, from: number): boolean {
  const colon = /\s*:/y
  colon.lastIndex = from
  return colon.test(text)
}

function addKey(keys: Set<string>, quoted: string): void {
  let key: string
  try {
    key = JSON.parse(quoted)
  } catch {
    return
  }
  if (keys.has(key)) throw bad(`The request has the field ${JSON.stringify(key.slice(0, 80))} twice.`)
  keys.add(key)
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text[at - 1 - escapes] === '\\') escapes += 1
    if (escapes % 2 === 0) return at
  }
  return text.length
}

const bad = (message: string, cause?: unknown) => new HoldfastError('INVALID_REQUEST', message, { cause })
