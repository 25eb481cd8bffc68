// Owns the box for another prompt. A draft stays with its task until it is sent.
import type { TaskDetailJson } from '../../../../src/protocol/json/task-json.ts'
import { draftTaken, useDraft } from '../../data/orders/drafts.ts'
import { sendPrompt } from '../../data/orders/orders.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Button } from '../../parts/button.tsx'
import { Problem } from '../../parts/problem.tsx'

/** No answer to what it asks, and no word into its turn. */
const WHEN_SAID: Readonly<Record<string, string>> = {
  working: 'Send a prompt: it is said when the turn is over',
  asking: 'Send a prompt: it is said when its question is answered and the turn is over',
}

export function SendBox({ task }: { readonly task: TaskDetailJson }) {
  const id = task.session_id
  const [text, write] = useDraft(id)
  const { busy, refused, give } = useOrder(sendPrompt)
  const submit = async () => {
    if (busy || text.trim() === '') return
    if (await give(id, text)) draftTaken(id, text)
  }
  return (
    <form
      className="border-line border-t p-3"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <div className="flex items-end gap-2">
        <textarea
          id="send"
          // biome-ignore lint/a11y/noAutofocus: who came by this address came to type.
          autoFocus={location.hash === '#send'}
          rows={1}
          aria-label="Send a prompt"
          placeholder={WHEN_SAID[task.phase ?? ''] ?? 'Send a prompt'}
          value={text}
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
            event.preventDefault()
            void submit()
          }}
          className="field-sizing-content max-h-48 min-w-0 flex-1 resize-none rounded-md border border-edge bg-panel px-3 py-1.5 placeholder:text-mut"
        />
        <Button type="submit" busy={busy} disabled={text.trim() === ''} title="Ctrl Enter">
          Send
        </Button>
      </div>
      {task.kept_back !== null && <p className="mt-1.5 text-amber text-sm">{task.kept_back.what}</p>}
      {refused !== undefined && (
        <div className="mt-2">
          <Problem refused={refused} />
        </div>
      )}
    </form>
  )
}
