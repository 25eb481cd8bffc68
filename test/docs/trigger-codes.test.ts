// Each reason why a prompt waits, falls back or fails: a test reaches it, and the docs say what to do.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCatalogue } from '../../src/domain/errors/catalogue.ts'
import { TRIGGER_CODES, type TriggerCode } from '../../src/domain/trigger/codes.ts'

/** The file below test/, and the title of the test in it. */
const reachedBy: Readonly<Record<TriggerCode, readonly [file: string, title: string]>> = {
  TARGET_NOT_FOUND: [
    'supervisor/triggers.test.ts',
    'a session that ends with it still waiting is no target any more: it has failed, and says so',
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
  TRIGGER_RATE_LIMITED: [
    'bridge/unread/wakes.test.ts',
    'over the limit of its thread a wake-up is deferred, says so, and comes when its time does',
  ],
  THREAD_AUTO_BLOCKED: [
    'bridge/unread/wakes.test.ts',
    'a blocked thread wakes nobody, also not whom it was about to; continued it wakes who has something to read',
  ],
}

const root = join(import.meta.dirname, '../..')

test.each(Object.entries(reachedBy))(
  '%s is asserted by the test that is named for it',
  (code, [file, title]) => {
    expect(file).toMatch(/\.test\.ts$/)
    const text = readFileSync(join(root, 'test', file), 'utf8')
    const found = assertionsIn(bodyOf(title, text)).filter((one) => one.includes(code))
    expect(
      found.filter((one) => !one.includes('.not.')),
      `${title} expects ${code}`,
    ).not.toEqual([])
  },
)

test('an assertion is found whole, and neither a comment nor a negation passes for one', () => {
  const text = [
    "test('one', async () => {",
    '  // expect CODE_A',
    "  const code = 'CODE_B'",
    '  expect(list).toEqual([',
    "    'x) CODE_C',",
    '  ])',
    '})',
    "test('two', () => {",
    "  expect('CODE_D').toBe(1)",
    '})',
  ].join('\n')
  expect(assertionsIn(bodyOf('one', text))).toEqual(["expect(list).toEqual([\n    'x) CODE_C',\n  ])"])
  expect(() => bodyOf('three', text)).toThrow('three')
})

/** From the title of a test to its end. */
function bodyOf(title: string, text: string): string {
  const begin = text.indexOf(`\ntest('${title}', `) + 1 || (text.startsWith(`test('${title}', `) ? 0 : -1)
  if (begin < 0) throw new Error(`There is no test '${title}'.`)
  return text.slice(begin, text.indexOf('\n}', begin))
}

/** Each statement that begins with `expect(`, to its last bracket. */
function assertionsIn(body: string): string[] {
  return [...body.matchAll(/^ *(?:await )?(?=expect\()/gm)].map(({ index, 0: before }) => {
    const rest = body.slice(index + before.length)
    // What stands in quotes opens and closes nothing.
    const bare = rest.replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, (quoted) => '_'.repeat(quoted.length))
    let open = 0
    for (let at = 0; at < bare.length; at++) {
      if ('([{'.includes(bare.charAt(at))) open++
      if (')]}'.includes(bare.charAt(at)) && --open === 0 && !/^\s*\./.test(bare.slice(at + 1)))
        return rest.slice(0, at + 1)
    }
    return rest
  })
}

test.each(TRIGGER_CODES)('docs/errors.md says what to do about %s', (code) => {
  expect(errorCatalogue).toHaveProperty(code)
  expect(readFileSync(join(root, 'docs/errors.md'), 'utf8')).toContain(code)
})
