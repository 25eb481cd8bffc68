import { test } from 'vitest'
import { readFileSync, existsSync } from 'node:fs'
import { useLab } from '/work/main/test/real-agents/lab.ts'
const lab = useLab()
const byHand: any = {
  codex: ['codex', 'exec', '--json', '--skip-git-repo-check', '-'],
  claude: ['claude', '-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits', '--allowedTools=Bash'],
  opencode: ['opencode', 'run', '--format', 'json'],
  pi: ['pi', '-p', '--mode', 'json'],
}
const launcher = (kind: string) => ({ kind, launch: ({ prompt }: any) => ({ argv: byHand[kind], env: {}, stdin: prompt, files: [], sessionId: null }), readEvent: (line: string) => [{ kind: 'said', text: line } as const] })
const prompts = process.env.PROMPTS!.split('|')
const kinds = (process.env.KINDS ?? 'codex claude opencode pi').split(' ')
for (const kind of kinds) for (const prompt of prompts) test(`${kind} ${prompt}`, async () => {
  const t = Date.now()
  const r = await lab.runPlan(launcher(kind), lab.request({ prompt }))
  console.log(`##### ${kind} ${prompt} code ${r.code} ${Date.now()-t}ms\n` + r.lines.filter(l => !l.includes('"init"')).slice(-8).map(l => l.slice(0, 500)).join('\n') + '\nSTDERR ' + r.stderr.slice(0,400) + '\nREQ ' + lab.requests().map(q => JSON.stringify({...q, system: q.system.length, tools: process.env.TOOLS ? q.tools : q.tools.length, turns: q.turns.map(t => t.role + ': ' + t.text.slice(0, 150))})).join('\n    ') + '\nSTRAYS ' + lab.strays() + '\nFILE ' + (existsSync(lab.project + '/out.txt') && readFileSync(lab.project + '/out.txt', 'utf8')))
})
