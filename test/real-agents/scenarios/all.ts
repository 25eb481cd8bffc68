import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import type { Cast } from './scenario.ts'
import { scripted } from './scripted.ts'

export const casts: readonly Cast[] = [claude, codex, opencode, pi, scripted]
