// Owns sending over HTTP: which answers mean that it was taken, that it may be taken later, or never.
import { messageOf } from '../domain/errors.ts'
import { printable } from '../domain/names/names.ts'
import { redactSecrets } from '../domain/text/redact-secrets.ts'
import type { Outcome } from '../ports/channel.ts'

const PATIENCE_MS = 20_000
/** Of an answer. The longest that is read are messages to a bot, some at a time. */
const MOST_BYTES = 4 * 1024 * 1024
/** Of a text that is shown: more of it is not looked at. */
const LONGEST_SHOWN = 64 * 1024
/** How services say that a message is larger than they take. */
const TOO_BIG =
  /too[ _](long|big|large|many)|invalid_blocks|exceed|max(imum)?[ _](size|length)|(size|length)[ _]limit/i
/** Refusals that are over after a while. */
const LATER: readonly number[] = [408, 423, 425, 429]

export type HttpAnswer = { readonly status: number; readonly text: string; readonly afterMs: number | null }

/** Throws when there is no answer, and without the address: that may be a secret. Redirects are not followed: they could lead anywhere. */
export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  more: { readonly signal?: AbortSignal; readonly patienceMs?: number } = {},
): Promise<HttpAnswer> {
  if (!URL.canParse(url)) throw new Error('its address is not a URL')
  const patienceMs = more.patienceMs ?? PATIENCE_MS
  const timeout = AbortSignal.timeout(patienceMs)
  const signal = more.signal === undefined ? timeout : AbortSignal.any([timeout, more.signal])
  try {
    const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal })
    return { status: answer.status, text: await textOf(answer), afterMs: afterMsOf(answer.headers) }
  } catch (error) {
    if (!timeout.aborted) throw error
    throw new Error(`it did not answer within ${patienceMs / 1000} s`)
  }
}

/** As much as is kept: an address may lead to something that never ends. */
async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    parts.push(part)
    size += part.length
    if (size >= MOST_BYTES) break
  }
  return Buffer.concat(parts).toString()
}

/** Seconds, or a time by the receiver's own clock; null when it says nothing, or something else. */
function afterMsOf(headers: Headers): number | null {
  const given = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(given)
    ? Number(given) * 1000
    : Date.parse(given) - Date.parse(headers.get('date') ?? '')
  return Number.isFinite(ms) && ms > 0 ? ms : null
}

/** Null when it was taken. */
export function refusalOf({ status, text, afterMs }: HttpAnswer): Outcome | null {
  if (status >= 200 && status < 300) return null
  const why = `it answered ${status}${text.trim() === '' ? '' : `: ${shown(text)}`}`
  if (status >= 500 || LATER.includes(status))
    return { kind: 'later', why, ...(afterMs === null ? {} : { afterMs }) }
  return { kind: status === 413 || saysTooBig(text) ? 'too_big' : 'never', why }
}

/** Of the words with which a message was refused. */
export const saysTooBig = (text: string) => TOO_BIG.test(text.slice(0, LONGEST_SHOWN))

/** A try never throws: what goes wrong before an answer may be right later. */
export async function attempt(send: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await send()
  } catch (error) {
    return { kind: 'later', why: shown(reasonOf(error)) }
  }
}

/** `fetch` says only that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  const { cause } = Object(error) as { cause?: unknown }
  const inner = cause === undefined ? '' : messageOf(cause) || String(Object(cause).code ?? '')
  return inner === '' ? messageOf(error) : `${messageOf(error)}: ${inner}`
}

const shown = (text: string) =>
  printable(redactSecrets(text.slice(0, LONGEST_SHOWN).replace(/\s+/g, ' ').trim()), 300)
