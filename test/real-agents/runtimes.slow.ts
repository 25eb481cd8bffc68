// OpenCode as a runtime. runtimes.real.ts does the same with the other agents.
import { test } from 'vitest'
import { useLab } from './lab.ts'
import { standsBy } from './runtime-world.ts'

const lab = useLab()

test('opencode as a runtime acknowledges a trigger by its marker, and its session goes on with the next one after its pane was killed', () =>
  standsBy('opencode', lab))
