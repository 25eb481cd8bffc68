// Owns what the bytes of a keyboard mean. A sequence may come in several reads, as over a slow connection.

export type KeyName =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'page_up'
  | 'page_down'
  | 'delete'
  | 'backspace'
  | 'enter'
  | 'tab'
  | 'back_tab'
  | 'escape'
  | 'ctrl_c'
  | 'ctrl_d'
  | 'ctrl_l'
  | 'ctrl_u'
  | 'ctrl_w'
  | 'ctrl_z'

/** `text`: one typed character. `paste`: what the terminal says was pasted; it is never taken for commands. */
export type Key =
  | { readonly kind: 'key'; readonly name: KeyName }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }

/** `pending`: the beginning of something whose end has not come yet. */
export type KeysRead = { readonly keys: readonly Key[]; readonly pending: string }

const PASTE_BEGIN = '\x1b[200~'
const PASTE_END = '\x1b[201~'
const SEQUENCE = /^\x1b(?:\[([\x30-\x3f]*)[\x20-\x2f]*([\x40-\x7e])|O([\x20-\x7e]))/
const BEGUN_SEQUENCE = /^\x1b(?:\[[\x30-\x3f]*[\x20-\x2f]*|O)?$/

export function readKeys(pending: string, text: string): KeysRead {
  const all = pending + text
  const keys: Key[] = []
  let at = 0
  while (at < all.length) {
    const rest = all.slice(at)
    const found = rest.startsWith('\x1b') ? escaped(rest) : plain(rest)
    if (found === undefined) return { keys, pending: rest }
    if (found.key !== null) keys.push(found.key)
    at += found.length
  }
  return { keys, pending: '' }
}

/** When nothing more came for a while: an escape that stood alone was the key Esc. The rest of a sequence may still come. */
export const pendingOver = (pending: string): KeysRead =>
  pending === '\x1b' ? { keys: [named('escape')], pending: '' } : { keys: [], pending }

type Found = { readonly key: Key | null; readonly length: number }
const named = (name: KeyName): Key => ({ kind: 'key', name })

/** Undefined: its end has not come yet. */
function escaped(rest: string): Found | undefined {
  if (rest.startsWith(PASTE_BEGIN)) return pasted(rest)
  const [whole, numbers = '', final, afterO] = SEQUENCE.exec(rest) ?? []
  if (whole !== undefined) {
    const name = final === '~' ? NUMBERED[numbers.replace(/;.*/, '')] : LETTERED[final ?? afterO ?? '']
    return { key: name === undefined ? null : named(name), length: whole.length }
  }
  if (BEGUN_SEQUENCE.test(rest)) return undefined
  if (rest[1] === '\x1b') return { key: named('escape'), length: 1 }
  // A character with Alt, which means nothing here; or a sequence that broke off, of which the beginning is dropped.
  return { key: null, length: rest[1] === '[' || rest[1] === 'O' ? 2 : 1 + charAt(rest, 1).length }
}

function pasted(rest: string): Found | undefined {
  const end = rest.indexOf(PASTE_END)
  if (end === -1) return undefined
  return {
    key: { kind: 'paste', text: rest.slice(PASTE_BEGIN.length, end) },
    length: end + PASTE_END.length,
  }
}

function plain(rest: string): Found {
  const char = charAt(rest, 0)
  const name = CONTROLS[char]
  if (name !== undefined) return { key: named(name), length: char.length }
  return { key: /\p{Cc}/u.test(char) ? null : { kind: 'text', text: char }, length: char.length }
}

const charAt = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at) ?? 0)

const LETTERED: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  M: 'enter',
  Z: 'back_tab',
}
const NUMBERED: Readonly<Record<string, KeyName>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'page_up',
  6: 'page_down',
  7: 'home',
  8: 'end',
}
const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\x01': 'home',
  '\x02': 'left',
  '\x03': 'ctrl_c',
  '\x04': 'ctrl_d',
  '\x05': 'end',
  '\x06': 'right',
  '\x08': 'backspace',
  '\x09': 'tab',
  '\x0a': 'enter',
  '\x0c': 'ctrl_l',
  '\x0d': 'enter',
  '\x0e': 'down',
  '\x10': 'up',
  '\x15': 'ctrl_u',
  '\x17': 'ctrl_w',
  '\x1a': 'ctrl_z',
  '\x7f': 'backspace',
}
