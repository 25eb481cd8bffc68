// Owns the names of runtimes: towards people, and in tmux. Every one follows from role and workspace. Pure.
import { HoldfastError } from '../errors.ts'
import { asRuntimeId, type RuntimeId } from '../names/ids.ts'
import { checkName, isName } from '../names/names.ts'

/** The window that keeps a workspace's tmux session while none of its runtimes is up. */
export const BOOTSTRAP_WINDOW = 'bootstrap'
const RUNTIME_ID = /^rt_[0-9a-z]{6,40}$/

/** A session and a window in it. */
export type Place = { readonly session: string; readonly window: string }

export const isRuntimeId = (text: string) => RUNTIME_ID.test(text)

/** `random`: any text that occurs only once. */
export const runtimeIdFrom = (random: string): RuntimeId =>
  asRuntimeId(`rt_${random.toLowerCase().replace(/[^0-9a-z]/g, '')}`)

/** `reviewer@mobile_core`. */
export const agentIdOf = (role: string, slug: string) => `${role}@${slug}`

/** Undefined for what is no `<role>@<slug>`. */
export function readAgentId(text: string): { readonly role: string; readonly slug: string } | undefined {
  const [role = '', slug = '', ...more] = text.split('@')
  return more.length === 0 && isName(role) && isName(slug) ? { role, slug } : undefined
}

/** tmux takes `.` and `:` in a target for separators, so neither may be part of a name there. */
export const placeOf = (role: string, slug: string): Place => ({
  session: sessionOf(slug),
  window: inTmux(role),
})

/** Where a runtime's pane is; undefined for a task that is none. */
export function placeOfRuntime(agentId: string | null): Place | undefined {
  const named = agentId === null ? undefined : readAgentId(agentId)
  return named && placeOf(named.role, named.slug)
}

export const sessionOf = (slug: string) => `${SESSION}${inTmux(slug)}`

/** Named as the session of a workspace's runtimes. */
export const isPlaceSession = (session: string) => session.startsWith(SESSION)

const SESSION = 'agents_'

/** As `tmux attach -t` takes it. */
export const targetOf = ({ tmuxSession, tmuxWindow, tmuxPane }: TmuxNames) =>
  `${tmuxSession}:${tmuxWindow}.${tmuxPane}`
type TmuxNames = { readonly tmuxSession: string; readonly tmuxWindow: string; readonly tmuxPane: number }

/** A window named by digits alone would be taken for a window's number. */
export function checkRoleName(role: string): string {
  checkName('Role', role)
  if (/^\d+$/.test(role) || inTmux(role) === BOOTSTRAP_WINDOW)
    throw new HoldfastError(
      'INVALID_NAME',
      `A runtime cannot have the role '${role}': tmux could not tell its window from another.`,
    )
  return role
}

const inTmux = (name: string) => name.replaceAll('.', '_')
