// Owns the text of the systemd user unit.
import { daemonArguments } from './daemon-arguments.ts'
import type { ServiceSpec } from './service-file.ts'

export const UNIT = 'holdfast.service'

/**
 * The daemon itself is the main process: stop and restart reach it alone, and its pid is the unit's.
 * It exits 75 while another daemon has the home; the unit then tries again until that one is gone.
 */
export const systemdUnit = (spec: ServiceSpec, mark: string) => `# ${mark}
[Unit]
Description=Holdfast: keeps coding agents working until the job is done
StartLimitIntervalSec=0

[Service]
Type=exec
${execStart(spec)}
${Object.entries(spec.env).map(environmentLine).join('\n')}
# So that the daemon starts tmux, and with it the agents, in a scope of its own.
${environmentLine(['HOLDFAST_SERVICE', 'systemd'])}
# tmux and agents outlive the daemon.
KillMode=process
OOMPolicy=continue
Restart=on-failure
RestartSec=2

[Install]
WantedBy=default.target
`

/** systemd replaces `$NAME` in arguments, so `$` is doubled there, but not in the program's path. */
export const execStart = ({ node, daemon, home }: ServiceSpec) => {
  const args = daemonArguments(daemon, home).map((arg) => quoted(arg).replaceAll('$', () => '$$'))
  return `ExecStart=${[quoted(node), ...args].join(' ')}`
}

export function environmentLine([name, value]: readonly [string, string]): string {
  return `Environment=${quoted(`${name}=${value}`)}`
}

/** Quotes keep spaces together; `%` would begin a specifier. */
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`
