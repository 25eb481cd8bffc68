import { expect, test } from 'vitest'
import { diffLines } from '../../web/src/screens/task/changes/diff-lines.ts'

const HEAD = ['diff --git a/m.sql b/m.sql', 'index 1111111..2222222 100644', '--- a/m.sql', '+++ b/m.sql']

test('a diff is shown without its head, and with every line of the file that looks like one', () => {
  const body = ['@@ -1,3 +1,3 @@', '--- drop the sessions', '+++ counter', '-index 1', ' end']
  expect(diffLines(`${[...HEAD, ...body].join('\n')}\n`)).toEqual(body)
})

test('of a diff without lines, what git says about it is left', () =>
  expect(diffLines(`${HEAD.join('\n')}\nBinary files differ\n`)).toEqual(['Binary files differ']))
