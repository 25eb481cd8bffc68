// The page on notifications: its settings are accepted, its check of a signature works, its tables are complete.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { NOTICE_KINDS } from '../../src/domain/notify/notice.ts'
import { mergeConfig } from '../../src/domain/settings/merge-config.ts'
import { CHANNEL_TYPES } from '../../src/domain/settings/notify-channels.ts'
import { aNotice, openChannel, told } from '../channels/channel-world.ts'
import { startReceiver } from '../channels/http-receiver.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { firstCells, readPage, section } from './pages.ts'

const page = 'docs/notifications.md'
const blocks = (language: string) =>
  [...readPage(page).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, lang, code]) =>
    lang === language ? [code ?? ''] : [],
  )

test.each(blocks('yaml').map((text) => [text]))('these settings are accepted: %s', (text) => {
  const content = parse(text)
  expect(() => mergeConfig([{ file: 'config.yaml', approval: 'own', content }])).not.toThrow()
  expect(Object.keys(content.notify.channels ?? {})).not.toEqual([])
})

test('every event and every type of channel is explained', () => {
  expect(firstCells(section(page, '## What you are told')).slice(0, NOTICE_KINDS.length)).toEqual([
    ...NOTICE_KINDS,
  ])
  const types = [...readPage(page).matchAll(/^### (\w+)$/gm)].map(([, type]) => type)
  expect(types).toEqual(CHANNEL_TYPES)
})

test('the check of a signature that the page shows accepts what is sent, and nothing else', async () => {
  const check = join(tempDir(), 'check.mjs')
  writeFileSync(check, blocks('js').join('\n'))
  const { isFromHoldfast } = await import(pathToFileURL(check).href)
  const receiver = await startReceiver()
  const settings = { type: 'webhook', url: receiver.url, secret: { env: 'S' } }
  await openChannel(settings, { S: 'shh' }).send(told(aNotice()))
  const [got] = receiver.got
  expect(isFromHoldfast(got?.headers, got?.body, 'shh')).toBe(true)
  expect(isFromHoldfast(got?.headers, `${got?.body} `, 'shh')).toBe(false)
  expect(isFromHoldfast(got?.headers, got?.body, 'other')).toBe(false)
  expect(isFromHoldfast(got?.headers, got?.body, 'shh', Date.now() + 10 * 60_000)).toBe(false)
})

test('the JSON that the page shows has the fields that are sent', async () => {
  const receiver = await startReceiver()
  const settings = { type: 'webhook', url: receiver.url, secret: { env: 'S' } }
  await openChannel(settings, { S: 'shh' }).send(told(aNotice()))
  const sent = JSON.parse(receiver.got[0]?.body ?? '')
  const shown = JSON.parse(blocks('json')[0] ?? '')
  expect(Object.keys(shown)).toEqual(Object.keys(sent))
  expect(Object.keys(shown.notices[0])).toEqual(Object.keys(sent.notices[0]))
})
