import type { Refused } from '../data/connection/call.ts'

/** What the daemon refused, and what helps. */
export const Problem = ({ refused }: { readonly refused: Pick<Refused, 'message' | 'hint'> }) => (
  <p role="alert" className="rounded-md border border-red/30 bg-red/6 px-3 py-2 text-sm">
    <span className="text-red">{refused.message}</span>
    {refused.hint !== '' && <span className="text-mut"> {refused.hint}</span>}
  </p>
)
