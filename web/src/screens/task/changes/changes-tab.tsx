// Owns what the agent changed: the files, and the diff of those that are opened.
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { ChangedFileJson } from '../../../../../src/protocol/json/changes-json.ts'
import type { TaskDetailJson } from '../../../../../src/protocol/json/task-json.ts'
import { useChanges } from '../../../data/task/changes.ts'
import { Ago } from '../../../parts/age.tsx'
import { classes } from '../../../parts/classes.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Stale } from '../../../parts/stale.tsx'
import { placeOf } from '../../../words/state.ts'
import { DiffOf } from './diff.tsx'

export function ChangesTab({ task }: { readonly task: TaskDetailJson }) {
  const atWork = placeOf(task) === 'at_work'
  const changes = useChanges(task.session_id, atWork)
  return (
    <div className="p-4">
      <Stale of={changes}>
        {({ state, files, commit, more }) => {
          if (state === 'not_recorded')
            return (
              <Empty>
                What its directory looked like at the beginning was not recorded: it was in no git repository,
                git could not tell, or the task is older than that record.
              </Empty>
            )
          if (state === 'unknown')
            return <Empty>git cannot tell now. The repository may be gone or locked.</Empty>
          if (files.length === 0) return <Empty>Nothing was changed in its repository since it began.</Empty>
          return (
            <div>
              <p className="mb-2 text-mut text-sm">
                {files.length} {files.length === 1 ? 'file' : 'files'} changed in its repository since it
                began, by it or by others who work there
                {commit !== null && (
                  <>
                    {' '}
                    at <code>{commit.slice(0, 10)}</code>
                  </>
                )}
                {more && '; there are more'}
                {changes.asOf !== undefined && (
                  <>
                    {' · '}looked at <Ago at={changes.asOf} />
                  </>
                )}
              </p>
              <ul className="divide-y divide-line rounded-md border border-line">
                {files.map((file) => (
                  <FileOf key={file.path} id={task.session_id} file={file} atWork={atWork} />
                ))}
              </ul>
            </div>
          )
        }}
      </Stale>
    </div>
  )
}

const KINDS = { added: 'new', modified: '', deleted: 'deleted' } as const

function FileOf({
  id,
  file,
  atWork,
}: {
  readonly id: string
  readonly file: ChangedFileJson
  readonly atWork: boolean
}) {
  const [open, setOpen] = useState(false)
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2 px-3 py-2 text-left hover:bg-soft/60"
      >
        <ChevronRight
          size={14}
          className={classes('shrink-0 text-mut', open && 'rotate-90')}
          aria-hidden="true"
        />
        <code className="min-w-0 flex-1 truncate">{file.path}</code>
        {file.before && <span className="text-amber text-xs">changed before it began, too</span>}
        <span className="text-mut text-xs">{KINDS[file.kind]}</span>
        {file.added !== null && <span className="text-green text-sm">+{file.added}</span>}
        {file.removed !== null && <span className="text-red text-sm">−{file.removed}</span>}
      </button>
      {open && <DiffOf id={id} path={file.path} atWork={atWork} />}
    </li>
  )
}
