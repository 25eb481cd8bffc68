// Owns what `doctor` says of the parts of Holdfast that follow the journal, when a daemon runs.
import type { HealthJson } from '../../protocol/json/daemon-json.ts'
import type { Finding } from './diagnose.ts'

/** `journal` is undefined when the daemon has an earlier version. */
export function journalFindings(journal: HealthJson['journal'] | undefined): Finding[] {
  if (journal === undefined) return []
  const { set_aside, held_by, missed } = journal
  const found = [
    ...(set_aside === 0
      ? []
      : [
          warn(
            `${set_aside} event${set_aside === 1 ? ' was' : 's were'} set aside: what should follow has not happened`,
            'look with `holdfast journal show`; when the cause is gone, `holdfast journal retry`',
          ),
        ]),
    ...(held_by.length === 0
      ? []
      : [
          warn(
            `old events are kept, because ${held_by.join(', ')} did not handle them yet`,
            held_by.some((name) => name.includes('@'))
              ? 'look with `holdfast journal show`; what belongs to a daemon that is gone is given up with `holdfast journal drop`'
              : 'look with `holdfast journal show`; the daemon’s log says what fails',
          ),
        ]),
    ...missed.map(({ at, what }) =>
      warn(
        `events were deleted before they were handled (${at}): ${what}`,
        'nothing is left to do for it; look at sessions and threads that should have been told something since then',
      ),
    ),
  ]
  return found.length > 0
    ? found
    : [{ name: 'journal', state: 'ok', detail: 'every event is handled', fix: null }]
}

const warn = (detail: string, fix: string): Finding => ({ name: 'journal', state: 'warn', detail, fix })
