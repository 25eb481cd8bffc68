import { expect, test } from 'vitest'
import { escaped, html } from '../../../src/cli/report/html.ts'
import { bytesOf, spanOf } from '../../../src/cli/report/times.ts'

test('every value in a template is escaped, HTML is not escaped again, and nothing is nothing', () => {
  const inner = html`<b>${'<i>'}</b>`
  expect(html`<p title="${'"\'&'}">${inner}${[inner, inner]}${null}${undefined}${0}</p>`.html).toBe(
    '<p title="&quot;&#39;&amp;"><b>&lt;i&gt;</b><b>&lt;i&gt;</b><b>&lt;i&gt;</b>0</p>',
  )
})

test('signs that cannot be seen, or that turn the direction of a text, are shown as such', () => {
  expect(escaped('a\u0000b\u001b[31mc\u202Ed\r\ne')).toBe('a\ufffdb\ufffd[31mc\ufffdd\ne')
})

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [61_000, '1 min 1 s'],
  [3_600_000, '1 h'],
  [90_061_000, '1 d 1 h'],
])('%d ms are %s', (ms, text) => expect(spanOf(ms)).toBe(text))

test.each([
  [12, '12 bytes'],
  [2048, '2 KB'],
  [3 * 1024 ** 2, '3.0 MB'],
])('%d bytes are %s', (bytes, text) => expect(bytesOf(bytes)).toBe(text))
