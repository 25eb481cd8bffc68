// Real agents as runtimes. runtimes.slow.ts does the same with OpenCode, which takes its time to start.
import { test } from 'vitest'
import { useLab } from './lab.ts'
import { standsBy } from './runtime-world.ts'

const lab = useLab()

test.each(['claude', 'codex', 'pi'] as const)(
  '%s as a runtime acknowledges a trigger by its marker, and its session goes on with the next one after its pane was killed',
  (kind) => standsBy(kind, lab),
)
