// Owns the driver of Claude Code: print mode with one prompt, print mode as a conversation, or its interface in a terminal.
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import { readClaudeEvent } from './events.ts'
import { claudeStderrFailure, isLostClaudeSession } from './failure.ts'
import { claudeKeys } from './keys.ts'
import { CLAUDE_SESSION_ID, launchClaude } from './launch.ts'
import { claudeLines } from './lines.ts'
import { claudeLogin } from './login.ts'
import { readClaudeScreen } from './screen.ts'
import { claudeStatus } from './status.ts'

export const claudeDriver: AgentDriver = {
  kind: 'claude',
  program: {
    name: 'claude',
    versionArgs: ['--version'],
    tested: ['2.1.325', '2.1.325'],
    install: 'npm install -g @anthropic-ai/claude-code',
    login: claudeLogin,
  },
  can: {
    modes: ['headless', 'interactive'],
    converse: true,
    asks: ['default', 'edit'],
    terminal: { hears: 'keys', tells: 'events' },
    model: true,
    personaFlag: true,
    permissions: ['default', 'read', 'edit', 'full'],
    extraDirs: true,
    mcp: true,
    sessionId: 'chosen',
    resume: true,
    toolsTold: { headless: 'as_they_begin', terminal: 'as_they_begin' },
  },
  sessionIdPattern: CLAUDE_SESSION_ID,
  // Not CLAUDE_*: many of them (CLAUDE_CODE_SESSION_ID, _MESSAGING_SOCKET…) tie one Claude Code to the one that called it.
  ownEnv: [
    ...['ANTHROPIC_*', 'CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_API_KEY_HELPER_TTL_MS'],
    ...['CLAUDE_CODE_USE_*', 'CLAUDE_CODE_SKIP_*', 'CLAUDE_CODE_CLIENT_*', 'CLAUDE_CODE_SUBAGENT_MODEL'],
    ...['CLAUDE_CODE_MAX_*', 'CLAUDE_CODE_DISABLE_*', 'CLAUDE_CODE_ENABLE_*', 'CLAUDE_CODE_EFFORT_LEVEL'],
    ...['CLAUDE_CODE_SHELL', 'CLAUDE_CODE_TMPDIR', 'ENABLE_TOOL_SEARCH', 'MAX_THINKING_TOKENS'],
    ...['DISABLE_AUTOUPDATER', 'DISABLE_TELEMETRY', 'DISABLE_ERROR_REPORTING', 'DISABLE_PROMPT_CACHING'],
    ...['MCP_TIMEOUT', 'MCP_TOOL_TIMEOUT', 'MAX_MCP_OUTPUT_TOKENS', 'USE_BUILTIN_RIPGREP'],
    ...['BASH_DEFAULT_TIMEOUT_MS', 'BASH_MAX_TIMEOUT_MS', 'BASH_MAX_OUTPUT_LENGTH', 'IS_SANDBOX'],
    ...['AWS_PROFILE', 'AWS_REGION', 'AWS_BEARER_TOKEN_BEDROCK', 'CLOUD_ML_REGION', 'VERTEX_REGION_*'],
    'GOOGLE_APPLICATION_CREDENTIALS',
  ],
  launch: launchClaude,
  readEvent: readClaudeEvent,
  readStderr: claudeStderrFailure,
  lostSession: isLostClaudeSession,
  readScreen: readClaudeScreen,
  lines: claudeLines,
  keys: claudeKeys,
  status: claudeStatus,
}
