// The CLI as a program: bundled once per test file, run as real child processes.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll } from 'vitest'

export type Ended = { code: number | null; stdout: string; stderr: string }
export type Call = { env?: Record<string, string>; cwd?: string; input?: string | Buffer }

export function builtCli() {
  let dir = ''
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hf-cli-'))
    await build({
      entryPoints: ['src/cli/main.ts'],
      outfile: join(dir, 'cli.cjs'),
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      define: { 'process.env.HOLDFAST_BUILD_VERSION': '"1.2.3"' },
    })
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  const program = () => [process.execPath, join(dir, 'cli.cjs')] as const
  const start = (home: string, argv: readonly string[], { env, cwd }: Call = {}) => {
    const [node, script] = program()
    return spawn(node, [script, ...argv], {
      cwd,
      env: { PATH: process.env.PATH, HOME: home, HOLDFAST_HOME: home, ...env },
    })
  }
  return {
    program,
    start,
    run: (home: string, argv: readonly string[], call: Call = {}) =>
      finished(start(home, argv, call), call.input),
  }
}

export function finished(child: ReturnType<typeof spawn>, input: string | Buffer = ''): Promise<Ended> {
  const ended = { stdout: '', stderr: '' }
  child.stdout?.on('data', (text) => {
    ended.stdout += text
  })
  child.stderr?.on('data', (text) => {
    ended.stderr += text
  })
  child.stdin?.on('error', () => {}).end(input)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...ended })))
}
