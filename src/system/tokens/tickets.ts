// Owns the tickets of answer buttons: `<notice>.<option>.<signature>`, short enough for every channel.
import { createHmac, randomBytes } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import type { Tickets } from '../../ports/channel.ts'
import { replaceFile } from '../disk/replace-file.ts'
import { isSame } from './is-same.ts'

const FORM = /^(n[0-9a-f]{19})\.(\d{1,2})\.([\w-]{22})$/
const SIGNATURE_BYTES = 16
const KEY = /^[0-9a-f]{64}$/

/** The key is made once for a home: a daemon that starts anew knows the buttons of the one before. */
export async function openTickets(keyFile: string): Promise<Tickets> {
  const key = readKey(keyFile) ?? (await newKey(keyFile))
  const signature = (signed: string) =>
    createHmac('sha256', Buffer.from(key, 'hex'))
      .update(`answer ${signed}`)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
      .toString('base64url')
  return {
    sign: (noticeId, option) => `${noticeId}.${option}.${signature(`${noticeId}.${option}`)}`,
    read(ticket) {
      const [, noticeId = '', option = '', given = ''] = FORM.exec(ticket) ?? []
      const right = signature(`${noticeId}.${option}`)
      if (!isSame(given, right)) return undefined
      return { noticeId, option: Number(option) }
    },
  }
}

/** A file that others could read holds no key: a new one is made, and old buttons no longer work. */
function readKey(file: string): string | undefined {
  try {
    const found = lstatSync(file)
    const key = found.isFile() && (found.mode & 0o077) === 0 ? readFileSync(file, 'utf8').trim() : ''
    return KEY.test(key) ? key : undefined
  } catch {
    return undefined
  }
}

async function newKey(file: string): Promise<string> {
  const key = randomBytes(32).toString('hex')
  await replaceFile(file, `${key}\n`, { durable: true })
  return key
}
