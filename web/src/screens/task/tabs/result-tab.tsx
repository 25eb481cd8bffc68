import type { TaskDetailJson } from '../../../../../src/protocol/json/task-json.ts'
import { useResult } from '../../../data/task/task.ts'
import { Copy } from '../../../parts/copy.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Stale } from '../../../parts/stale.tsx'
import { TextBlock } from '../../../parts/text-block.tsx'
import { hasEnded } from '../../../words/state.ts'

/** What the agent handed in as result.json. */
export function ResultTab({ task }: { readonly task: TaskDetailJson }) {
  const result = useResult(task.session_id)
  if (result.refused !== undefined && result.refused.status !== 0 && result.value === undefined)
    return (
      <div className="p-4">
        <Empty>{result.refused.message}</Empty>
      </div>
    )
  return (
    <div className="p-4">
      <Stale of={result}>
        {({ result: value }) =>
          value === null ? (
            <NoResult task={task} />
          ) : (
            <>
              <TextBlock label="Result" text={JSON.stringify(value, null, 2)} wrap />
              <p className="mt-3">
                <Copy text={task.result_file} />
              </p>
            </>
          )
        }
      </Stale>
    </div>
  )
}

const NoResult = ({ task }: { readonly task: TaskDetailJson }) =>
  hasEnded(task) ? (
    <Empty>It has ended without a result.</Empty>
  ) : (
    <Empty command={task.result_file}>
      It has not handed in a result yet. Its agent does so by writing this file:
    </Empty>
  )
