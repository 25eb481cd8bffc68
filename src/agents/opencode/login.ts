import type { Login, LoginLook } from '../../ports/run/agent-driver.ts'
import { fieldsOf, variableSet } from '../shared/login-signs.ts'

const FIX = 'opencode auth login'
const VARIABLES = [
  ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENCODE_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'],
  ...['GOOGLE_GENERATIVE_AI_API_KEY', 'AZURE_API_KEY', 'AWS_BEARER_TOKEN_BEDROCK', 'DEEPSEEK_API_KEY'],
  ...['GROQ_API_KEY', 'MISTRAL_API_KEY', 'MOONSHOT_API_KEY', 'XAI_API_KEY', 'ZHIPU_API_KEY'],
]

/** Never `no`: some of its models need no login, and its config may bring providers of any kind. */
export function opencodeLogin(look: LoginLook): Login {
  const auth = `${look.env.XDG_DATA_HOME || `${look.env.HOME ?? ''}/.local/share`}/opencode/auth.json`
  if (Object.keys(fieldsOf(look, auth)).length > 0) return { state: 'yes', seen: auth, fix: FIX }
  const variable = variableSet(look.env, VARIABLES)
  return variable === undefined
    ? { state: 'unknown', seen: auth, fix: FIX }
    : { state: 'yes', seen: variable, fix: FIX }
}
