// Owns the JSON of a task that is made.

import type { Permission } from '../../domain/run/permission.ts'
import type { TaskDetailJson } from './task-json.ts'

export type CreateTaskJson = {
  prompt: string
  /** The absolute path of the directory in which the agent works. */
  dir: string
  agent?: string
  role?: string
  model?: string
  name?: string
  /** What the task is about; the prompt's first words when absent. */
  title?: string
  mode?: 'headless' | 'interactive'
  converse?: boolean
  /** What the agent may do without asking; `default` is the agent's own setting. */
  permissions?: Permission
  /** Absolute paths of directories that the agent may work in besides `dir`. */
  extra_dirs?: string[]
  priority?: 'low' | 'normal' | 'high'
  tags?: string[]
  meta?: Record<string, string>
  /** The caller's environment. What the allow-list, `env.pass` and the agent let through is kept, in a file of mode 0600. */
  env?: Record<string, string>
  /** Variables that the caller named with `--env`: kept as given. */
  set_env?: Record<string, string>
  /** Which command's defaults apply; `run` when absent. */
  command?: 'create' | 'run'
  /** Null: no limit. Absent: the default of the command. */
  max_duration_seconds?: number | null
  /** Checks as in docs/verify.md. Null: none. Absent: those of the config. */
  verify?: unknown[] | null
  no_queue?: boolean
  /** Allows agents to work in the directory. A person does so by using it; a run cannot. */
  allow_dir?: boolean
  /** Allows it also when that is the caller's whole home directory, or `/`: the person was asked. */
  allow_wide_dir?: boolean
}

/** `workspace_added`: by this call. `without_window`: until tmux works again. `disk_filling`: sessions use more than they should. `permission_narrowed`: its agent does not know those of its parent. */
export type NoticeKind =
  | 'workspace_added'
  | 'without_window'
  | 'waits_for_tmux'
  | 'disk_filling'
  | 'permission_narrowed'
/** `notice_kinds`: the kind of each of the `notices`, in the same order. */
export type CreatedJson = { task: TaskDetailJson; notices: string[]; notice_kinds: NoticeKind[] }
