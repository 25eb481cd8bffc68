// Installing what only a few benches need. What is measured does without certificates (scripts/bench.mjs hides them), an
// installer does not.
import { execFileSync } from 'node:child_process'

export function installerEnv(): NodeJS.ProcessEnv {
  const { BENCH_CA_CERTS: NODE_EXTRA_CA_CERTS, ...env } = process.env
  return { ...env, ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }) }
}

/** The real agent CLIs, where the tests have them. Those that are there already cost a moment. */
export function installAgents(): void {
  const script = new URL('../scripts/install-agents.mjs', import.meta.url).pathname
  execFileSync(process.execPath, [script], { stdio: 'inherit', env: installerEnv() })
}
