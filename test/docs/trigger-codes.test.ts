// Each reason why a prompt waits, falls back or fails: a test reaches it, and the docs say what to do.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCatalogue } from '../../src/domain/errors/catalogue.ts'
import { TRIGGER_CODES, type TriggerCode } from '../../src/domain/trigger/codes.ts'

/** Those of threads are the bridge's: no single prompt has them. */
type OfPrompts = Exclude<TriggerCode, 'TRIGGER_RATE_LIMITED' | 'THREAD_AUTO_BLOCKED'>

/** The file below test/, and the title of the test in it. */
const reachedBy: Readonly<Record<OfPrompts, readonly [file: string, title: string]>> = {
  TARGET_NOT_FOUND: [
    'store/contract/triggers.ts',
    'with its session it fails, and is queued again when the session is brought back',
  ],
  PANE_DEAD: [
    'supervisor/runtimes/fallback.test.ts',
    'a run that is killed with the prompt half typed is resumed, and gets it once',
  ],
  SEND_KEYS_ERROR: [
    'supervisor/triggers.test.ts',
    'when tmux cannot be asked to type, that is said, and it is typed once later',
  ],
  ACK_TIMEOUT: ['e2e/seed-001.test.ts', '2: ACK_TIMEOUT falls back to resume by itself'],
  OPERATOR_BUSY: [
    'supervisor/triggers.test.ts',
    'keys of a person defer it, and it is typed once nobody types',
  ],
  DEFER_TIMEOUT: [
    'supervisor/triggers.test.ts',
    'a person who types on for a minute makes its time run out once, and it still waits',
  ],
  RESUME_FAILED: [
    'supervisor/runtimes/fallback.test.ts',
    'after two resumes in vain a new session begins with the summary of the thread, and then the trigger comes',
  ],
  SPAWN_FAILED: [
    'supervisor/runtimes/fallback.test.ts',
    'a new session that does not take it either makes it fail, and nobody is ended for it any more',
  ],
  REGISTRY_DRIFT: [
    'supervisor/runtimes/fallback.test.ts',
    'a pane that somebody killed is the reason which the waiting prompt gives',
  ],
}

const root = join(import.meta.dirname, '../..')

test.each(Object.entries(reachedBy))('%s is reached by a test that names it', (code, [file, title]) => {
  const text = readFileSync(join(root, 'test', file), 'utf8')
  expect(text).toContain(title)
  expect(text).toContain(code)
})

test.each(TRIGGER_CODES)('docs/errors.md says what to do about %s', (code) => {
  expect(errorCatalogue).toHaveProperty(code)
  expect(readFileSync(join(root, 'docs/errors.md'), 'utf8')).toContain(code)
})
