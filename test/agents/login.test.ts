import { expect, test } from 'vitest'
import { realDrivers } from '../../src/agents/all.ts'

type Sign = [
  state: 'yes' | 'no' | 'unknown',
  seen: string,
  env: Record<string, string>,
  files?: Record<string, string>,
]

const SECRET = 'sk-SECRET'
const json = (value: unknown) => JSON.stringify(value)
const signs: Record<string, Sign[]> = {
  claude: [
    ['no', '/h/.claude/.credentials.json', {}],
    ['yes', 'ANTHROPIC_API_KEY', { ANTHROPIC_API_KEY: SECRET }],
    ['yes', 'CLAUDE_CODE_USE_BEDROCK', { CLAUDE_CODE_USE_BEDROCK: '1' }],
    ['no', '/h/.claude/.credentials.json', { ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: 'http://x' }],
    [
      'yes',
      '/c/.credentials.json',
      { CLAUDE_CONFIG_DIR: '/c' },
      { '/c/.credentials.json': json({ claudeAiOauth: { accessToken: SECRET } }) },
    ],
    [
      'no',
      '/h/.claude/.credentials.json',
      {},
      { '/h/.claude/.credentials.json': json({ claudeAiOauth: null }) },
    ],
    ['yes', '/h/.claude/settings.json', {}, { '/h/.claude/settings.json': json({ apiKeyHelper: 'echo' }) }],
    [
      'yes',
      '/h/.claude/settings.json',
      {},
      { '/h/.claude/settings.json': json({ env: { ANTHROPIC_AUTH_TOKEN: SECRET } }) },
    ],
    ['yes', '/h/.claude.json', {}, { '/h/.claude.json': json({ primaryApiKey: SECRET }) }],
    [
      'unknown',
      '/h/.claude.json',
      {},
      { '/h/.claude.json': json({ oauthAccount: { emailAddress: SECRET } }) },
    ],
  ],
  codex: [
    ['no', '/h/.codex/auth.json', {}],
    ['no', '/h/.codex/auth.json', { OPENAI_API_KEY: SECRET }],
    ['yes', 'CODEX_API_KEY', { CODEX_API_KEY: SECRET }],
    ['yes', '/c/auth.json', { CODEX_HOME: '/c' }, { '/c/auth.json': json({ OPENAI_API_KEY: SECRET }) }],
    [
      'yes',
      '/h/.codex/auth.json',
      {},
      { '/h/.codex/auth.json': json({ OPENAI_API_KEY: null, tokens: { access_token: SECRET } }) },
    ],
    ['no', '/h/.codex/auth.json', {}, { '/h/.codex/auth.json': '{"tokens": [' }],
    [
      'yes',
      'LAB_KEY (/h/.codex/config.toml)',
      { LAB_KEY: SECRET },
      { '/h/.codex/config.toml': 'model_provider = "lab"\n[model_providers.lab]\nenv_key = "LAB_KEY"\n' },
    ],
    ['unknown', '/h/.codex/config.toml', {}, { '/h/.codex/config.toml': 'model_provider = "local"\n' }],
    ['no', '/h/.codex/auth.json', {}, { '/h/.codex/config.toml': 'model = "x"\n' }],
  ],
  opencode: [
    ['unknown', '/h/.local/share/opencode/auth.json', {}],
    ['unknown', '/h/.local/share/opencode/auth.json', {}, { '/h/.local/share/opencode/auth.json': '{}' }],
    [
      'yes',
      '/d/opencode/auth.json',
      { XDG_DATA_HOME: '/d' },
      { '/d/opencode/auth.json': json({ anthropic: { key: SECRET } }) },
    ],
    ['yes', 'OPENROUTER_API_KEY', { OPENROUTER_API_KEY: SECRET }],
  ],
  pi: [
    ['no', '/h/.pi/agent/auth.json', {}],
    [
      'yes',
      '/p/auth.json',
      { PI_CODING_AGENT_DIR: '/p' },
      { '/p/auth.json': json({ anthropic: { key: SECRET } }) },
    ],
    ['yes', 'GEMINI_API_KEY', { GEMINI_API_KEY: SECRET }],
    ['yes', 'ZAI_CODING_CN_API_KEY', { ZAI_CODING_CN_API_KEY: SECRET }],
    [
      'unknown',
      '/h/.pi/agent/models.json',
      {},
      { '/h/.pi/agent/models.json': json({ providers: { lab: {} } }) },
    ],
    ['unknown', 'AWS_PROFILE', { AWS_PROFILE: 'work' }],
  ],
}

for (const { kind, program } of realDrivers)
  test.each(signs[kind]!)(`${kind}: login %s, told by %s, with %j and %j`, (state, seen, env, files = {}) => {
    const login = program!.login!({ env: { HOME: '/h', ...env }, peek: (path) => files[path] })
    expect(login).toMatchObject({ state, seen })
    expect(json(login)).not.toContain(SECRET)
  })
