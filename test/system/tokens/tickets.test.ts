import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTickets } from '../../../src/system/tokens/tickets.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

const NOTICE = 'n0123456789abcdef012'

test('a ticket is known by the next daemon of the same home, and by no other', async () => {
  const file = join(tempDir(), 'notice-key')
  const ticket = (await openTickets(file)).sign(NOTICE, 3)
  expect((await openTickets(file)).read(ticket)).toEqual({ noticeId: NOTICE, option: 3 })
  expect((await openTickets(join(tempDir(), 'notice-key'))).read(ticket)).toBeUndefined()
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a key that others could read is not used', async () => {
  const file = join(tempDir(), 'notice-key')
  const ticket = (await openTickets(file)).sign(NOTICE, 0)
  chmodSync(file, 0o644)
  expect((await openTickets(file)).read(ticket)).toBeUndefined()
})
