// Owns reading server-sent events from bytes, wherever they are cut.
import { StringDecoder } from 'node:string_decoder'

export type SentEvent = { readonly kind: string; readonly data: string }

/** Returns the events that are complete. A comment, which only shows that somebody is there, gives none. */
export function sseReader(): (bytes: Buffer) => SentEvent[] {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return (bytes) => {
    const blocks = (rest + decoder.write(bytes)).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    return blocks.flatMap(eventOf)
  }
}

function eventOf(block: string): SentEvent[] {
  const fields = block.split(/\r?\n/).map((text) => /^([a-z]+): ?(.*)$/.exec(text))
  const valuesOf = (name: string) => fields.flatMap((field) => (field?.[1] === name ? (field[2] ?? '') : []))
  const data = valuesOf('data')
  return data.length === 0 ? [] : [{ kind: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') }]
}
