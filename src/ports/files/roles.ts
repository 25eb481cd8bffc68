import type { RoleTerms } from '../../domain/settings/role-terms.ts'

/** A role: a persona file with front matter. */
export type Role = RoleTerms & {
  readonly role: string
  readonly description: string
  readonly agent: string | null
  readonly model: string | null
  readonly restrictions: readonly string[]
  /** The text below the front matter. */
  readonly persona: string
  readonly sha256: string
}

export type RoleListing = Pick<Role, 'role' | 'description' | 'agent' | 'model' | 'file'> & {
  /** Why the role cannot be used; null when it can. */
  readonly problem: string | null
  /** The role cannot be used because nobody has approved its file. */
  readonly needsTrust: boolean
}

/** The role files of a project and of the user. The first folder that has a role wins. */
export interface Roles {
  /** Throws ROLE_NOT_FOUND or ROLE_INVALID. */
  load(role: string, project: string): Promise<Role>
  list(project: string): Promise<RoleListing[]>
  /** The usable roles in the project's own folders. */
  ofProject(project: string): Promise<Role[]>
}
