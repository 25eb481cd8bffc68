// Owns telling people by e-mail, as plain text.
import { createHash } from 'node:crypto'
import type { ChannelSettings } from '../domain/settings/notify-channels.ts'
import type { Channel, Outcome } from '../ports/channel.ts'
import { attempt } from './http.ts'
import type { ChannelNeeds } from './needs.ts'
import { cut, plainText } from './plain-text.ts'

const PATIENCE_MS = 30_000
const LONGEST_SUBJECT = 200
const LONGEST_TEXT = 50_000
/** Codes for a message that is larger than a server or a mailbox takes. */
const TOO_BIG: readonly (number | undefined)[] = [523, 552]

export const email = (
  name: string,
  settings: ChannelSettings<'email'>,
  needs: ChannelNeeds,
): Omit<Channel, 'problem' | 'room'> => ({
  name,
  type: 'email',
  canAnswer: false,
  send: (told, { taken, take }) =>
    attempt(async () => {
      const { from, to } = settings
      const left = to.filter((one) => !taken.has(one))
      if (left.length === 0) return { kind: 'sent' }
      // Large, and needed by few.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport(await optionsOf(settings, needs))
      try {
        const { rejectedErrors = [] } = await transport.sendMail({
          from,
          to: [...to],
          // Those who have it are named in it, and do not get it again.
          envelope: { from, to: left },
          // One line, whatever an agent wrote: a second one would be a header.
          subject: cut(`[Holdfast] ${told.title.replace(/[\r\n\0]+/g, ' ')}`, LONGEST_SUBJECT),
          text: cut(plainText(told), LONGEST_TEXT),
          // The same for every try, so that a mailbox shows it once.
          messageId: `<${idFor(told.id)}@${from.split('@')[1]}>`,
          headers: { 'x-holdfast-id': told.id, 'auto-submitted': 'auto-generated' },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        const refused = new Set(rejectedErrors.map(({ recipient }) => recipient))
        for (const one of left) if (!refused.has(one)) await take(one)
        return refusalOfAny(rejectedErrors) ?? { kind: 'sent' }
      } catch (error) {
        return refusalOfAny(Object(error).rejectedErrors ?? []) ?? refusalOf(error)
      } finally {
        transport.close()
      }
    }),
})

const idFor = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 32)

async function optionsOf({ server, user, password }: ChannelSettings<'email'>, { secret }: ChannelNeeds) {
  const { hostname, port, protocol } = new URL(server)
  const secure = protocol === 'smtps:'
  return {
    host: hostname,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(user === null || password === null ? {} : { auth: { user, pass: await secret(password) } }),
    // A password is never sent in the clear.
    requireTLS: !secure && user !== null,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  }
}

/** What may work later is tried again; null when nobody was refused. */
function refusalOfAny(errors: readonly unknown[]): Outcome | null {
  const refusals = errors.map(refusalOf)
  return refusals.find(({ kind }) => kind === 'later') ?? refusals[0] ?? null
}

/** A code of 5xx is for ever, unless it is about the login: a person may put that right. */
function refusalOf(error: unknown): Outcome {
  const { responseCode, code, message } = Object(error) as {
    responseCode?: number
    code?: string
    message?: string
  }
  const why = String(message ?? error).slice(0, 300)
  if (TOO_BIG.includes(responseCode)) return { kind: 'too_big', why }
  const isForEver = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH'
  return isForEver ? { kind: 'never', why } : { kind: 'later', why }
}
