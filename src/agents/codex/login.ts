import type { Login, LoginLook } from '../../ports/run/agent-driver.ts'
import { fieldsOf, isText, mapIn, variableSet } from '../shared/login-signs.ts'

const FIX = 'codex login'

/** OPENAI_API_KEY alone is no login for Codex, unless its config names that variable. */
export function codexLogin(look: LoginLook): Login {
  const dir = look.env.CODEX_HOME || `${look.env.HOME ?? ''}/.codex`
  const [auth, config] = [`${dir}/auth.json`, `${dir}/config.toml`]
  const variable = variableSet(look.env, ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'])
  if (variable !== undefined) return { state: 'yes', seen: variable, fix: FIX }
  const stored = fieldsOf(look, auth)
  if (isText(stored.OPENAI_API_KEY) || isText(mapIn(stored, 'tokens').access_token))
    return { state: 'yes', seen: auth, fix: FIX }
  return { ...fromConfig(look, look.peek(config) ?? '', config, auth), fix: FIX }
}

/** The user's own provider may need a key or none, and a keyring cannot be read: then the login is unknown. */
function fromConfig(look: LoginLook, toml: string, config: string, auth: string): Omit<Login, 'fix'> {
  const keys = [...toml.matchAll(/^\s*env_key\s*=\s*["'](\w+)["']/gm)].flatMap(([, name]) => name ?? [])
  const variable = variableSet(look.env, keys)
  if (variable !== undefined) return { state: 'yes', seen: `${variable} (${config})` }
  const elsewhere = /^\s*(model_provider|profile|cli_auth_credentials_store)\s*=/m.test(toml)
  return elsewhere ? { state: 'unknown', seen: config } : { state: 'no', seen: auth }
}
