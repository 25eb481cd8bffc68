// Owns the text of notices about a new task, with the commands that a person can give.
import type { CreatedJson, NoticeKind } from '../../../protocol/json/create-json.ts'

const COMMANDS: Readonly<Partial<Record<NoticeKind, string>>> = {
  waits_for_tmux: 'See `holdfast questions`.',
  disk_filling: 'Remove old sessions with `holdfast prune --older-than 30d`.',
}

type Noticed = Pick<CreatedJson, 'notices'> & Partial<Pick<CreatedJson, 'notice_kinds'>>

/** Notices without kinds come from an older daemon. */
export const noticeLines = ({ notices, notice_kinds = [] }: Noticed) =>
  notices.map((text, at) => {
    const kind = notice_kinds[at]
    return ['Notice:', text, kind && COMMANDS[kind]].filter(Boolean).join(' ')
  })
