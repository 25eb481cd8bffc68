import { defineConfig } from 'vitest/config'
import { withoutProcesses, withProcesses } from './vitest.projects.ts'

export default defineConfig({ test: { projects: [{ test: withoutProcesses }, { test: withProcesses }] } })
