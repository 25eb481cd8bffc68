import type { LaunchRequest } from '../../src/ports/run/agent-driver.ts'

/** A plain headless task; tests name only what they are about. */
export const aRequest = (more: Partial<LaunchRequest> = {}): LaunchRequest => ({
  mode: 'headless',
  converse: false,
  model: null,
  prompt: 'Fix the login.',
  persona: null,
  dir: '/home/user/project',
  permission: 'default',
  extraDirs: [],
  mcp: [],
  sessionId: '11111111-2222-4333-8444-555555555555',
  resume: null,
  filesDir: '/run/files',
  inputFile: '/run/in.jsonl',
  eventsFile: '/run/events.jsonl',
  env: {},
  peek: () => undefined,
  ...more,
})
