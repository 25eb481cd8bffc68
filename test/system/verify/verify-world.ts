import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { homePaths } from '../../../src/domain/names/home.ts'
import { asTaskId } from '../../../src/domain/names/ids.ts'
import { parseContract } from '../../../src/domain/verify/contract.ts'
import type { Subject } from '../../../src/ports/verifier.ts'
import { systemClock } from '../../../src/system/clock.ts'
import { LinuxProcesses } from '../../../src/system/processes/processes.ts'
import { FileRunFiles } from '../../../src/system/run-files/file-run-files.ts'
import { ShimVerifier } from '../../../src/system/verify/shim-verifier.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { commands, killIfThere, readIfThere, SHIM } from '../run-world.ts'

/**
 * A home, a directory with work in it, and a verifier. Whatever it started is gone when the test ends. `programs`: shell
 * scripts that the shim meets instead of the real programs.
 */
export function verifyWorld({
  programs = {},
}: {
  readonly programs?: Readonly<Record<string, string>>
} = {}) {
  const root = tempDir()
  const home = homePaths(join(root, 'home'))
  const dir = join(root, 'work')
  mkdirSync(dir)
  mkdirSync(join(root, 'bin'))
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const runFiles = new FileRunFiles({ home, shimSource: SHIM, ownCommand: [process.execPath, 'cli.cjs'] })
  const processes = new LinuxProcesses()
  const shell = { home, runFiles, processes, clock: systemClock, path: `${root}/bin:${process.env.PATH}` }
  onTestFinished(async () => {
    await waitFor('everything to end', () => {
      const left = carriersOf(root)
      for (const pid of left) killIfThere(pid)
      return left.length === 0
    })
  })
  const world = {
    root,
    home,
    dir,
    runFiles,
    /** As a daemon that starts has it: without memory. */
    newVerifier: () => new ShimVerifier(shell),
    verifier: new ShimVerifier(shell),
    write(path: string, content: string | Buffer) {
      mkdirSync(dirname(join(dir, path)), { recursive: true })
      writeFileSync(join(dir, path), content)
    },
    subject: (more: Partial<Subject> = {}): Subject => ({
      // Markers are seen by all tests that run beside this one.
      whose: root,
      name: 'run-1',
      taskId: asTaskId('20251118-153042-test'),
      dir,
      result: undefined,
      env: { PATH: process.env.PATH!, HOME: root },
      sessionDir: join(root, 'session'),
      outputLog: join(root, 'output.log'),
      ...more,
    }),
    verify: (checks: unknown[], more: Partial<Subject> = {}, signal?: AbortSignal) =>
      world.verifier.verify(parseContract(checks), world.subject(more), signal),
    /** Processes that were given something of this world. */
    left: () => carriersOf(root),
  }
  return world
}

function carriersOf(root: string): number[] {
  return commands()
    .filter(
      ({ pid, args }) =>
        pid !== process.pid &&
        (args.some((arg) => arg.includes(`${root}/`)) ||
          readIfThere(`/proc/${pid}/environ`)?.includes(`${root}/`)),
    )
    .map(({ pid }) => pid)
}
