import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, ReplyReader } from '../../../src/tmux/link/reply-reader.ts'

function read(...chunks: Buffer[]): Block[] {
  const blocks: Block[] = []
  const reader = new ReplyReader((block) => blocks.push(block))
  for (const chunk of chunks) reader.read(chunk)
  return blocks
}

const CONVERSATION = Buffer.from(
  [
    '%begin 17 1 0',
    '%end 17 1 0',
    '%session-changed $0 keeper',
    '%begin 17 2 1',
    'grüße 😀',
    '',
    '%end 17 1 1',
    '%begin 17 9 1',
    '%end 17 2 1',
    '%unlinked-window-add @1',
    '%begin 17 3 1',
    "can't find session: x",
    '%error 17 3 1',
    '',
  ].join('\n'),
)
const EXPECTED = [
  { ok: true, lines: ['grüße 😀', '', '%end 17 1 1', '%begin 17 9 1'] },
  { ok: false, lines: ["can't find session: x"] },
]

test('output that looks like the protocol stays output; notifications and foreign blocks are passed over', () => {
  expect(read(CONVERSATION)).toEqual(EXPECTED)
})

test('it does not matter where the chunks are cut, not even inside a character', () => {
  fc.assert(
    fc.property(fc.nat(CONVERSATION.length), fc.nat(CONVERSATION.length), (a, b) => {
      const [first, second] = [Math.min(a, b), Math.max(a, b)]
      const cut = [
        CONVERSATION.subarray(0, first),
        CONVERSATION.subarray(first, second),
        CONVERSATION.subarray(second),
      ]
      expect(read(...cut)).toEqual(EXPECTED)
    }),
  )
})
