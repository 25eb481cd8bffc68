// Owns putting texts into HTML: whatever an agent wrote stays a text.

/** Something that is HTML already. */
export type Html = { readonly html: string }

const MEANING: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** Not allowed in HTML, or shown as nothing; and those that turn the direction of a text, by which it can seem to be another. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

export const escaped = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, '\ufffd')
    .replace(/[&<>"']/g, (sign) => MEANING[sign] ?? '')

type Value = string | number | null | undefined | Html | readonly Html[]

/** A template in which every value is escaped, unless it is HTML already. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const filled = values.map((value) => {
    if (value === null || value === undefined) return ''
    if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
    return 'html' in value ? value.html : value.map((one) => one.html).join('')
  })
  return { html: parts.map((part, index) => part + (filled[index] ?? '')).join('') }
}

export const NOTHING: Html = { html: '' }
