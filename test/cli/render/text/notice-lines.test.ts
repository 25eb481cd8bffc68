import { expect, test } from 'vitest'
import { noticeLines } from '../../../../src/cli/render/text/notice-lines.ts'

test('notices read with the commands that help', () => {
  const lines = noticeLines({
    notices: ['p is now an allowed workspace.', 'It waits for tmux.', 'Sessions take 3 GB.'],
    notice_kinds: ['workspace_added', 'waits_for_tmux', 'disk_filling'],
  })
  expect(lines).toEqual([
    'Notice: p is now an allowed workspace.',
    'Notice: It waits for tmux. See `holdfast questions`.',
    'Notice: Sessions take 3 GB. Remove old sessions with `holdfast prune --older-than 30d`.',
  ])
})

test('notices of a daemon that tells no kinds are shown as they are', () => {
  expect(noticeLines({ notices: ['One.', 'Two.'] })).toEqual(['Notice: One.', 'Notice: Two.'])
})
