import type { Login, LoginLook } from '../../ports/run/agent-driver.ts'
import { fieldsOf, isText, mapIn, variableSet } from '../shared/login-signs.ts'

const FIX = 'run `claude` and log in, or set CLAUDE_CODE_OAUTH_TOKEN (`claude setup-token`)'
const VARIABLES = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  ...['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'],
]

export function claudeLogin(look: LoginLook): Login {
  const { HOME = '', CLAUDE_CONFIG_DIR } = look.env
  const dir = CLAUDE_CONFIG_DIR || `${HOME}/.claude`
  const [credentials, settings] = [`${dir}/.credentials.json`, `${dir}/settings.json`]
  const state = `${CLAUDE_CONFIG_DIR || HOME}/.claude.json`
  const variable = variableSet(look.env, VARIABLES)
  if (variable !== undefined) return { state: 'yes', seen: variable, fix: FIX }
  if (isText(mapIn(fieldsOf(look, credentials), 'claudeAiOauth').accessToken))
    return { state: 'yes', seen: credentials, fix: FIX }
  const chosen = fieldsOf(look, settings)
  if (isText(chosen.apiKeyHelper) || variableSet(mapIn(chosen, 'env'), VARIABLES) !== undefined)
    return { state: 'yes', seen: settings, fix: FIX }
  const { primaryApiKey, oauthAccount } = fieldsOf(look, state)
  if (isText(primaryApiKey)) return { state: 'yes', seen: state, fix: FIX }
  // The token of an account that is named here may be in a keychain, which we do not read.
  return oauthAccount
    ? { state: 'unknown', seen: state, fix: FIX }
    : { state: 'no', seen: credentials, fix: FIX }
}
