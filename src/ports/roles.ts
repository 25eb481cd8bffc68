import type { RoleTerms } from '../domain/settings/role-terms.ts'

/** Who does the work: a persona file with front matter. */
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
  /** Why it cannot be used, or null. */
  readonly problem: string | null
  /** That is because nobody approved it. */
  readonly needsTrust: boolean
}

/** Role files of a project and its user; earlier folders win. */
export interface Roles {
  /** ROLE_NOT_FOUND or ROLE_INVALID when it cannot be had. */
  load(role: string, project: string): Promise<Role>
  list(project: string): Promise<RoleListing[]>
  /** Those of the project's own folders that can be used. */
  ofProject(project: string): Promise<Role[]>
}
