// Owns the notices about a task that was just created: sentences, and their kinds.
import type { Mode, Task } from '../../domain/task/task.ts'
import type { CreatedJson, NoticeKind } from '../../protocol/json/create-json.ts'
import type { AllowedDir, Desk } from '../../supervisor/desk.ts'

type Notice = { readonly kind: NoticeKind; readonly text: string }

export function notices(
  place: AllowedDir,
  mode: Mode,
  { daemon }: Pick<Desk, 'daemon'>,
  task?: Pick<Task, 'agent' | 'snapshot'>,
): Pick<CreatedJson, 'notices' | 'notice_kinds'> {
  const all = [
    ...ofPlace(place),
    ...(task === undefined ? [] : ofPermission(task)),
    ...ofTmux(mode, daemon.whyNoTmux()),
    ...ofDisk(daemon.disk()),
  ]
  return { notices: all.map(({ text }) => text), notice_kinds: all.map(({ kind }) => kind) }
}

function ofPlace({ added, project, workspace }: AllowedDir): Notice[] {
  if (!added) return []
  return [{ kind: 'workspace_added', text: `${project} is now an allowed workspace (${workspace.slug}).` }]
}

export function ofPermission({ agent, snapshot }: Pick<Task, 'agent' | 'snapshot'>): Notice[] {
  const { permission, permissionNarrowedFrom: from } = snapshot
  if (from === undefined) return []
  const text = `It has the permissions '${permission}', less than its parent's '${from}': ${agent} does not know those.`
  return [{ kind: 'permission_narrowed', text }]
}

const WITHOUT_TMUX: Readonly<Record<Mode, Notice>> = {
  headless: {
    kind: 'without_window',
    text: 'The session works without a window. It gets one when tmux works again.',
  },
  interactive: { kind: 'waits_for_tmux', text: 'The session needs a terminal, so it waits for tmux.' },
}

function ofTmux(mode: Mode, why: string | null): Notice[] {
  const { kind, text } = WITHOUT_TMUX[mode]
  return why === null ? [] : [{ kind, text: `${why} ${text}` }]
}

function ofDisk({ warning }: { readonly warning: string | null }): Notice[] {
  return warning === null ? [] : [{ kind: 'disk_filling', text: `${warning}.` }]
}
