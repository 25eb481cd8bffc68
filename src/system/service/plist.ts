// Owns the text of the launchd agent.
import { daemonArguments } from './daemon-arguments.ts'
import type { ServiceSpec } from './service-file.ts'

export const LABEL = 'dev.holdfast.daemon'

/** AbandonProcessGroup: tmux and agents outlive the daemon. */
export const launchdPlist = (spec: ServiceSpec, mark: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${mark} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
${programArguments(spec)}
  <key>EnvironmentVariables</key>
  <dict>
${Object.entries(spec.env).map(environmentEntry).join('\n')}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardErrorPath</key>
  ${textOf(`${spec.home}/daemon.stderr`)}
</dict>
</plist>
`

export const programArguments = ({ node, daemon, home }: ServiceSpec) => `  <key>ProgramArguments</key>
  <array>
${[node, ...daemonArguments(daemon, home)].map((arg) => `    ${textOf(arg)}`).join('\n')}
  </array>`

export const environmentEntry = ([name, value]: readonly [string, string]) =>
  `    <key>${name}</key>\n    ${textOf(value)}`

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const textOf = (text: string) =>
  `<string>${text.replace(/[&<>]/g, (char) => entities[char] ?? char)}</string>`
