import { writeFileSync, appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { useLab, type Launcher } from './lab.ts'
const lab = useLab()
const by = (argv: string[], stdin?: string): Launcher => ({ kind: 'codex', launch: ({ prompt }) => ({ argv: ['codex', ...argv], env: {}, stdin: stdin ?? prompt, files: [], sessionId: null }), readEvent: (line) => [{ kind: 'said', text: line }] })
const out = (what: string, o: any) => appendFileSync('/tmp/cxtry/out.txt', `\n===== ${what}\n${typeof o === 'string' ? o : JSON.stringify(o, null, 1)}\n`)
const idOf = (o: any) => JSON.parse(o.lines[0]).thread_id
const go = async (what: string, argv: string[], prompt: string, opt: any = {}) => {
  const o = await lab.runPlan(by(argv), lab.request({ prompt }), opt)
  out(what, [`code ${o.code} ${o.signal}`, ...o.lines, 'STDERR ' + o.stderr].join('\n'))
  return o
}
const J = ['exec', '--json', '--skip-git-repo-check']

const c = (s: string) => ['-c', s]
const esc = 'DO:tool{exec_command|{"cmd":"touch esc.txt","sandbox_permissions":"require_escalated","justification":"please"}}'
test('mcp', async () => {
  const inline = (more: string) => `mcp_servers={"lab"={command=${JSON.stringify(lab.mcpServer.command)},args=["-e","process.stderr.write(Object.keys(process.env).join());require('fs').writeFileSync('${lab.home}/mcpenv', Object.keys(process.env).join());import('${lab.mcpServer.args[0]}')"],env_vars=["HOLDFAST_RUN"]${more}}}`
  await go('mcp approve', [...J, '-C', lab.project, ...c(inline(',default_tools_approval_mode="approve"')), '-'], 'DO:mcp{lab_ping}')
  out('mcp env', (await import('node:fs')).readFileSync(lab.home + '/mcpenv', 'utf8'))
  await go('mcp approve, -s read-only', [...J, '-C', lab.project, '-s', 'read-only', ...c(inline(',default_tools_approval_mode="approve"')), '-'], 'DO:mcp{lab_ping}')
  await go('mcp full', [...J, '-C', lab.project, '--dangerously-bypass-approvals-and-sandbox', ...c(inline('')), '-'], 'DO:mcp{lab_ping}')
})
test('policies', async () => {
  const cfg = join(lab.home, '.codex/config.toml')
  const { readFileSync } = await import('node:fs')
  const base = readFileSync(cfg, 'utf8')
  writeFileSync(cfg, 'approval_policy="on-request"\napprovals_reviewer="auto_review"\n' + base)
  await go('auto_review, -s read-only', [...J, '-C', lab.project, '-s', 'read-only', '-'], esc)
  await go('auto_review, -s read-only, never', [...J, '-C', lab.project, '-s', 'read-only', ...c('approval_policy="never"'), '-'], esc)
  out('esc', String(existsSync(join(lab.project, 'esc.txt'))))
  writeFileSync(cfg, 'default_permissions=":danger-full-access"\n' + base)
  await go('default_permissions full', [...J, '-C', lab.project, '-'], 'DO:write{dp1.txt}')
  await go('default_permissions full, -s read-only', [...J, '-C', lab.project, '-s', 'read-only', '-'], 'DO:write{dp2.txt}')
  out('dp', String([existsSync(join(lab.project, 'dp1.txt')), existsSync(join(lab.project, 'dp2.txt'))]))
  writeFileSync(cfg, base)
  await go('full', [...J, '-C', lab.project, '--dangerously-bypass-approvals-and-sandbox', '--add-dir', '/var/tmp', '-'], 'DO:shell{touch /var/hf-cx-probe2 && rm /var/hf-cx-probe2}')
  await go('read with add-dir', [...J, '-C', lab.project, '-s', 'read-only', '--add-dir', '/var/tmp', '-'], 'DO:shell{touch /var/tmp/hf-x}')
  writeFileSync(cfg, base.replace('[features]\ndaemon_auto_start = false', ''))
  await go('daemon?', [...J, '-C', lab.project, '-'], 'DO:text{x}')
  const { execSync } = await import('node:child_process')
  out('procs', execSync(`ps axo pid,args | grep -i codex | grep -v grep | grep -v vitest || true`).toString())
})
test('errors', async () => {
  await go('no key', [...J, ...c('model_providers.lab.env_key="NOT_THERE"'), '-'], 'x')
  await go('usage', [...J, '-'], 'DO:usage{3600}')
  await go('usage far', [...J, '-'], 'DO:usage{300000}')
  for (const s of [400, 402, 403, 404, 429, 500, 529]) await go('http ' + s, [...J, '-'], `DO:http{${s}}`)
  await go('badkey', [...J, '-'], 'DO:badkey')
  await go('drop', [...J, '-'], 'DO:drop')
  await go('ask', [...J, '-'], 'DO:tool{request_user_input|{"questions":[{"id":"q1","header":"Area","question":"Which one?","options":[{"label":"A","description":"first"},{"label":"B","description":"second"}]}]}}')
  await go('collab', [...J, '-'], 'DO:tool{spawn_agent|{"message":"DO:text{from child}"}}')
  await go('refused port, bounded', [...J, ...c('model_providers.lab.base_url="http://127.0.0.1:9/v1"'), ...c('features.unbounded_connection_retries=false'), '-'], 'x')
  writeFileSync(join(lab.home, '.codex/config.toml'), 'model = [')
  await go('broken config', [...J, '-'], 'x')
})
test('login', async () => {
  const o = lab.start(by([...J, ...c('model_provider="openai"'), '-']), lab.request({ prompt: 'x' }))
  const t = setTimeout(() => void o.kill(), 15000)
  const e = await o.ended; clearTimeout(t)
  out('openai without login', [e.code, ...e.lines, e.stderr].join('\n'))
})
