import { defineConfig } from 'vitest/config'
import { withoutProcesses } from './vitest.projects.ts'

/** What starts no processes: `npm run test:quick`. */
export default defineConfig({ test: withoutProcesses })
