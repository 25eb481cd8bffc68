// A home directory and an environment in which every agent CLI talks to the model server and to nobody else.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import versions from './versions.json' with { type: 'json' }

export const AGENTS = ['codex', 'claude', 'opencode', 'pi'] as const
export type AgentKind = (typeof AGENTS)[number]

export type AgentHome = { readonly home: string; readonly project: string; readonly url: string }

/** Claude Code wants the last 20 characters of a key that was approved. */
const CLAUDE_KEY = 'sk-ant-dummy-lab-key'
const LAB_KEY = 'dummy-key'
const MODEL = 'lab-model'

/** Settings as a user of all four agents would have them. */
export function furnish({ home, project, url }: AgentHome): void {
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), content)
  }
  put('.codex/config.toml', codexConfig(project, url))
  put('.claude.json', JSON.stringify(claudeConfig(project)))
  put('.config/opencode/opencode.json', JSON.stringify(opencodeConfig(url)))
  put('.pi/agent/models.json', JSON.stringify(piModels(url)))
  put('.pi/agent/settings.json', JSON.stringify({ defaultProvider: 'lab', defaultModel: MODEL }))
}

const codexConfig = (project: string, url: string) => `
model = "${MODEL}"
model_provider = "lab"
check_for_update_on_startup = false

[model_providers.lab]
name = "Lab"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "LAB_KEY"
request_max_retries = 1
stream_max_retries = 1
stream_idle_timeout_ms = 60000

[analytics]
enabled = false

[features]
daemon_auto_start = false
plugins = false

[projects."${project}"]
trust_level = "trusted"
`

const claudeConfig = (project: string) => ({
  hasCompletedOnboarding: true,
  theme: 'dark',
  customApiKeyResponses: { approved: [CLAUDE_KEY], rejected: [] },
  projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
})

const opencodeConfig = (url: string) => ({
  autoupdate: false,
  share: 'disabled',
  model: `lab/${MODEL}`,
  small_model: `lab/${MODEL}`,
  provider: {
    lab: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Lab',
      options: { baseURL: `${url}/v1`, apiKey: LAB_KEY },
      models: Object.fromEntries(
        [MODEL, 'other-model'].map((name) => [name, { name, limit: { context: 128_000, output: 8192 } }]),
      ),
    },
  },
})

const piModels = (url: string) => ({
  providers: {
    lab: {
      baseUrl: `${url}/v1`,
      api: 'openai-completions',
      apiKey: LAB_KEY,
      models: [MODEL, 'other-model'].map((id) => ({ id, name: id, contextWindow: 128_000, maxTokens: 8192 })),
    },
  },
})

/** Nothing of the caller's environment but what is named here. */
export function agentEnvironment(
  kind: AgentKind | 'scripted',
  { home, url }: AgentHome,
): Record<string, string> {
  return {
    PATH: [
      ...(kind === 'scripted' ? [] : [binOf(kind)]),
      dirname(process.execPath),
      '/usr/local/bin',
      '/usr/bin',
      '/bin',
    ].join(delimiter),
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    TMPDIR: join(home, 'tmp'),
    // Whoever wants out comes to the model server, is refused, and stands in its `strays`.
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: '127.0.0.1,localhost',
    ...ownEnvironment(url)[kind],
  }
}

const ownEnvironment = (url: string): Record<AgentKind | 'scripted', Record<string, string>> => ({
  scripted: {},
  codex: { LAB_KEY },
  claude: {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: CLAUDE_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    // Otherwise MCP tools are not offered but to be searched for, which the scripted model does not.
    ENABLE_TOOL_SEARCH: 'false',
  },
  opencode: {
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_offline: 'true',
    npm_config_fetch_retries: '0',
  },
  pi: { PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' },
})

/** Where scripts/install-agents.mjs put it. */
function binOf(kind: AgentKind): string {
  const { HOLDFAST_TEST_AGENTS, XDG_CACHE_HOME } = process.env
  const cache = HOLDFAST_TEST_AGENTS || XDG_CACHE_HOME || join(homedir(), '.cache')
  const [version] = Object.values(versions[kind])
  const bin = join(cache, 'holdfast-test-agents', `${kind}-${version}`, 'node_modules', '.bin')
  if (!existsSync(bin))
    throw new Error(`${kind} ${version} is not installed: node scripts/install-agents.mjs`)
  return bin
}
