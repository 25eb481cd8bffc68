import type { TaskDetailJson } from '../../../../../src/protocol/json/task-json.ts'
import { useResult } from '../../../data/task/task.ts'
import { Copy } from '../../../parts/copy.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Stale } from '../../../parts/stale.tsx'
import { TextBlock } from '../../../parts/text-block.tsx'

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
        {({ result: value }) => (
          <>
            <TextBlock label="Result" text={JSON.stringify(value, null, 2)} wrap />
            <p className="mt-3">
              <Copy text={task.result_file} />
            </p>
          </>
        )}
      </Stale>
    </div>
  )
}
