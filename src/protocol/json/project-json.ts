// Owns the JSON of what belongs to a project: roles, workspaces, settings, approvals.

export type RoleJson = {
  role: string
  description: string
  agent: string | null
  model: string | null
  file: string
  problem: string | null
  /** True when the problem is that nobody has approved the file. */
  needs_trust: boolean
}
export type WorkspaceJson = { id: string; slug: string; path: string; added_at: string; added_by: string }
/** `text` is the value as one would write it in the file. */
export type ConfigEntryJson = { key: string; value: unknown; text: string; source: string; about: string }
/** A project's file that executes something or widens what agents may do, and what exactly. */
export type TrustFileJson = {
  file: string
  sha256: string
  /** Approved with this content, with another content, or never. */
  approval: 'approved' | 'changed' | 'new'
  allows: string[]
}
