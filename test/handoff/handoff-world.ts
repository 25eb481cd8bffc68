import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { homePaths } from '../../src/domain/names/home.ts'
import { asNodeId, asTaskId, asWorkspaceId } from '../../src/domain/names/ids.ts'
import type { Task } from '../../src/domain/task/task.ts'
import { FileHandoff, type FileHandoffOptions } from '../../src/handoff/file-handoff.ts'
import type { LogLine } from '../../src/ports/handoff.ts'
import { replaceFile } from '../../src/system/disk/replace-file.ts'
import { gzipPacking } from '../../src/system/logs/packing.ts'
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

export function taskIn(project: string, name = 'grafana-validator'): Task {
  return {
    id: asTaskId(`20251118-153042-${name}`),
    name: null,
    title: 'Check the dashboards',
    nodeId: asNodeId('node-1'),
    status: 'pending',
    phase: 'queued',
    phaseUntil: null,
    agent: 'scripted',
    role: 'grafana-agent',
    model: null,
    mode: 'headless',
    workspaceId: asWorkspaceId('w1'),
    project,
    dir: project,
    priority: 'normal',
    tags: ['validation', 'grafana'],
    meta: { ticket: 'TEF-123' },
    parentId: null,
    createdBy: 'person',
    createdAt: NOW,
    startedAt: null,
    endedAt: null,
    maxDurationMs: 600_000,
    workedMs: 0,
    exitCode: null,
    exitSignal: null,
    reason: null,
    runId: null,
    sessionId: null,
    tokensIn: 0,
    tokensOut: 0,
    costUsd: 0,
    sessionUsage: null,
    stop: null,
    hookViolations: [],
    retries: 0,
    goOn: null,
    restart: null,
    account: null,
    gate: null,
    archivedAt: null,
    verification: null,
    snapshot: {
      prompt: 'Write to <session-id>/result.json; `rm -rf $HOME`\n',
      persona: null,
      restrictions: [],
      permission: 'default',
      extraDirs: [],
      killGraceMs: 10_000,
      closePane: true,
      envNames: [],
    },
  }
}

export const info = (message: string): LogLine => ({ at: NOW, level: 'INFO', message })
export const text = (path: string) => readFileSync(path, 'utf8')
export const openFiles = () => readdirSync('/proc/self/fd').length
