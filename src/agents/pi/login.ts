import type { Login, LoginLook } from '../../ports/run/agent-driver.ts'
import { fieldsOf, mapIn, variableSet } from '../shared/login-signs.ts'

const FIX = 'run `pi` and type /login'
/** The variables in Pi's own table of providers. */
const VARIABLES = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_OAUTH_TOKEN', 'OPENAI_API_KEY'],
  ...['AZURE_OPENAI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_CLOUD_API_KEY', 'AWS_BEARER_TOKEN_BEDROCK'],
  ...['AI_GATEWAY_API_KEY', 'ANT_LING_API_KEY', 'BASETEN_API_KEY', 'CEREBRAS_API_KEY', 'CLOUDFLARE_API_KEY'],
  ...['COPILOT_GITHUB_TOKEN', 'DEEPSEEK_API_KEY', 'FIREWORKS_API_KEY', 'GROQ_API_KEY', 'HF_TOKEN'],
  ...['KIMI_API_KEY', 'META_API_KEY', 'MINIMAX_*', 'MISTRAL_API_KEY', 'MOONSHOT_API_KEY', 'NVIDIA_API_KEY'],
  ...['OPENCODE_API_KEY', 'OPENROUTER_API_KEY', 'QWEN_TOKEN_PLAN_*', 'RADIUS_API_KEY', 'TOGETHER_API_KEY'],
  ...['XAI_API_KEY', 'XIAOMI_*', 'ZAI_*'],
]
/** Credentials of a cloud, which may or may not give access to a model. */
const CLOUD = ['AWS_PROFILE', 'AWS_ACCESS_KEY_ID', 'GOOGLE_APPLICATION_CREDENTIALS']

export function piLogin(look: LoginLook): Login {
  const dir = look.env.PI_CODING_AGENT_DIR || `${look.env.HOME ?? ''}/.pi/agent`
  const [auth, models] = [`${dir}/auth.json`, `${dir}/models.json`]
  if (Object.keys(fieldsOf(look, auth)).length > 0) return { state: 'yes', seen: auth, fix: FIX }
  const variable = variableSet(look.env, VARIABLES)
  if (variable !== undefined) return { state: 'yes', seen: variable, fix: FIX }
  const maybe =
    Object.keys(mapIn(fieldsOf(look, models), 'providers')).length > 0 ? models : variableSet(look.env, CLOUD)
  return maybe === undefined
    ? { state: 'no', seen: auth, fix: FIX }
    : { state: 'unknown', seen: maybe, fix: FIX }
}
