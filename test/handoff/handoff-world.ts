import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { homePaths } from '../../src/domain/names/home.ts'
import { asTaskId } from '../../src/domain/names/ids.ts'
import type { Task } from '../../src/domain/task/task.ts'
import { FileHandoff, type FileHandoffOptions } from '../../src/handoff/file-handoff.ts'
import type { LogLine } from '../../src/ports/files/handoff.ts'
import { replaceFile } from '../../src/system/disk/replace-file.ts'
import { gzipPacking } from '../../src/system/logs/packing.ts'
import { aNewTask } from '../builders/task.ts'
import { tempDir } from '../helpers/temp-dir.ts'

export const NOW = Date.parse('2025-11-18T15:30:42Z')
export const VIEW_FILES = ['output.log', 'prompt.md', 'session.log', 'state.json']

/** A home, a project and a Handoff between them; `restart` is what a new daemon would have. */
export function handoffWorld(options: Partial<FileHandoffOptions> = {}) {
  const dir = tempDir()
  const home = homePaths(`${dir}/home`)
  const project = `${dir}/project`
  mkdirSync(project)
  const restart = () => {
    const clock = { now: () => NOW }
    const terminal = { sessionName: (id: string) => `hf-${id}` }
    const handoff = new FileHandoff({ home, clock, packing: gzipPacking, replaceFile, terminal, ...options })
    onTestFinished(() => handoff.closeAll())
    return handoff
  }
  const task = taskIn(project)
  const view = `${project}/.holdfast/sessions/${task.id}`
  const originals = home.task(task.id)
  return { dir, home, project, task, view, originals, handoff: restart(), restart }
}

export const taskIn = (project: string, name = 'grafana-validator'): Task =>
  aNewTask({
    id: asTaskId(`20251118-153042-${name}`),
    title: 'Check the dashboards',
    role: 'grafana-agent',
    project,
    dir: project,
    tags: ['validation', 'grafana'],
    meta: { ticket: 'TEF-123' },
    createdAt: NOW,
    maxDurationMs: 600_000,
    snapshot: { prompt: 'Write to <session-id>/result.json; `rm -rf $HOME`\n' },
  })

export const info = (message: string): LogLine => ({ at: NOW, level: 'INFO', message })
export const text = (path: string) => readFileSync(path, 'utf8')
/** Open files of one test: the process runs others, too, whose files may be closed at any moment. */
export const openFilesOf = ({ dir }: { readonly dir: string }) =>
  readdirSync('/proc/self/fd').filter((fd) => {
    const target = linkTarget(`/proc/self/fd/${fd}`)
    return target.startsWith(`${dir}/`) || target === '/dev/full'
  }).length

/** Empty for a descriptor that is closed by now. */
function linkTarget(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
