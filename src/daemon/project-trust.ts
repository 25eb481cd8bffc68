import { isHoldfastError } from '../domain/errors.ts'
import { wideningTerms } from '../domain/settings/role-terms.ts'
import type { Roles } from '../ports/files/roles.ts'
import type { Claim } from '../ports/files/trust.ts'
import type { ProjectTrust } from '../server/context.ts'
import { fileTrust } from '../system/settings/file-trust.ts'
import { loadConfig, settingsToApprove } from '../system/settings/load-config.ts'
import { stepsToApprove } from '../system/verify/step-contracts.ts'

/** Settings, roles and steps of a project, as far as they need a person's approval. */
export function projectTrust(userDir: string, roles: Roles): ProjectTrust {
  const { approve, revoke } = fileTrust(userDir)
  return {
    approve,
    revoke,
    claims: async (project) => {
      const settings = await settingsToApprove(userDir, project)
      const steps = await stepsToApprove(userDir, project)
      return [...(settings === undefined ? [] : [settings]), ...(await roleClaims(project)), ...steps]
    },
  }

  /** A role is used by `create` and by `run`: a duration longer than the default of either needs approval. */
  async function roleClaims(project: string): Promise<Claim[]> {
    const { config } = await usableConfig(project)
    const durations = [config['create.maxDuration'], config['run.maxDuration']].filter((ms) => ms !== null)
    const maxDurationMs = durations.length === 0 ? null : Math.min(...durations)
    return (await roles.ofProject(project)).flatMap((role) => {
      const allows = wideningTerms(role, { permission: 'default', maxDurationMs })
      const { file, sha256, approval } = role
      return allows.length === 0 ? [] : [{ file, sha256, approval, allows }]
    })
  }

  /** With the project's settings, as a task would be created; without them while they may not be used. */
  async function usableConfig(project: string) {
    try {
      return await loadConfig(userDir, project)
    } catch (error) {
      if (isHoldfastError(error)) return await loadConfig(userDir, undefined)
      throw error
    }
  }
}
