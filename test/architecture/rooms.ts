// Who may import whom. The core never imports an adapter; only daemon/ knows both.
const core = ['domain', 'ports']
export const mayImport: Record<string, string[]> = {
  domain: [],
  ports: ['domain'],
  protocol: ['domain'],
  system: core,
  store: core,
  tmux: core,
  agents: core,
  handoff: core,
  delivery: core,
  bridge: core,
  supervisor: [...core, 'delivery', 'bridge'],
  workflow: [...core, 'supervisor'],
  server: [...core, 'protocol', 'supervisor', 'delivery', 'bridge', 'workflow'],
  daemon: [
    ...core,
    'protocol',
    'system',
    'store',
    'tmux',
    'agents',
    'handoff',
    'delivery',
    'bridge',
    'supervisor',
    'workflow',
    'server',
  ],
  mcp: ['domain', 'protocol'],
  // The drivers are pure: what a screen or an event line means can be asked without a daemon.
  cli: [...core, 'protocol', 'system', 'agents', 'mcp'],
}

/** Things that come in through one door only: the pattern, and where it may stand. */
export const doors: { what: string; pattern: RegExp; allowed: RegExp }[] = [
  {
    what: 'child processes',
    pattern: /node:child_process/,
    allowed: /^src\/(system\/exec|tmux\/spawn|agents\/(scripted|opencode-bridge)\/)/,
  },
  {
    what: 'the wall clock',
    pattern: /\bDate\.now\(/,
    allowed: /^src\/(system|daemon|cli|agents\/(scripted|opencode-bridge))\//,
  },
  {
    what: 'timers',
    pattern: /\bset(Timeout|Interval)\(/,
    // The extension is the text of a program that runs inside Pi.
    allowed: /^src\/((system|daemon|cli|agents\/(scripted|opencode-bridge))\/|agents\/pi-extension)/,
  },
  {
    what: 'the environment',
    pattern: /\bprocess\.env\b(?!\.HOLDFAST_BUILD_VERSION)/,
    allowed: /^src\/(system|daemon|cli|agents\/(scripted|opencode-bridge))\//,
  },
  {
    what: 'random ids',
    pattern: /\brandomUUID\(/,
    allowed: /^src\/(system|daemon|agents\/(scripted|opencode-bridge))\//,
  },
]
