import { expect, test } from 'vitest'
import { allowedEnv, callerEnvironment, daemonEnv } from '../../../src/domain/run/caller-environment.ts'

test('a caller’s login, locale, SSH agent and proxies reach the agent, nothing else', () => {
  const passed = {
    PATH: '/bin',
    HOME: '/home/user',
    LC_TIME: 'C',
    XDG_CONFIG_HOME: '/c',
    SSH_AUTH_SOCK: '/s',
    https_proxy: 'p',
    NO_PROXY: 'q',
    GIT_AUTHOR_NAME: 'A',
    TZ: '',
  }
  const kept = {
    AWS_SECRET_ACCESS_KEY: 'x',
    GIT_DIR: '/d',
    TERM: 'xterm',
    LD_PRELOAD: 'x',
    PWD: '/',
    PATHS: 'x',
  }
  expect(allowedEnv({ ...passed, ...kept, UNSET: undefined })).toEqual(passed)
})

test('more names may be allowed, one by one or by their beginning', () => {
  const env = { ANTHROPIC_BASE_URL: 'u', CLAUDE_A: '1', CLAUDE_B: '2', OTHER: '3' }
  expect(allowedEnv(env, ['ANTHROPIC_BASE_URL', 'CLAUDE_*'])).toEqual({
    ANTHROPIC_BASE_URL: 'u',
    CLAUDE_A: '1',
    CLAUDE_B: '2',
  })
})

test('nothing that ties it to another run or terminal, or that no shell can set, passes even when all is allowed', () => {
  const env = {
    HOLDFAST_RUN: 'r',
    HOLDFAST_HOME: '/h',
    TMUX: 't',
    TMUX_PANE: '%1',
    UID: '0',
    EUID: '0',
    PPID: '1',
    SHELLOPTS: 'x',
    BASHOPTS: 'x',
    hf_run: '/',
    'BASH_FUNC_x%%': '() { :; }',
    GOOD: 'g',
  }
  expect(allowedEnv(env, ['*'])).toEqual({ GOOD: 'g' })
})

test('a daemon started inside a run keeps its home but not the run’s marks', () => {
  const env = { HOLDFAST_RUN: 'r', HOLDFAST_TASK_ID: 't', HOLDFAST_HOME: '/h', TMUX: 't', SECRET: 's' }
  expect(daemonEnv(env)).toEqual({ HOLDFAST_HOME: '/h', SECRET: 's' })
})

test('every row of the table has names and a reason', () => {
  const names = callerEnvironment.flatMap((rule) => rule.names)
  expect(new Set(names).size).toBe(names.length)
  for (const { names, reason } of callerEnvironment)
    expect([names.length > 0, reason.length > 0]).toEqual([true, true])
})
