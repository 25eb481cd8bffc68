import { Circle, CircleCheck, CircleX } from 'lucide-react'
import type { ContractCheckJson } from '../../../../src/protocol/json/task-json.ts'

/** What its work has to pass, and what of it passed when that was last tried. */
export const ContractFact = ({ checks }: { readonly checks: readonly ContractCheckJson[] }) => (
  <ul className="flex flex-col gap-0.5">
    {checks.map(({ check, ok }) => (
      <li key={check} className="flex gap-1.5 text-sm">
        <Outcome ok={ok} />
        <code className="min-w-0">{check}</code>
      </li>
    ))}
  </ul>
)

function Outcome({ ok }: Pick<ContractCheckJson, 'ok'>) {
  const place = 'mt-1 shrink-0'
  if (ok === null) return <Circle size={13} className={`${place} text-mut`} aria-label="not checked yet" />
  return ok ? (
    <CircleCheck size={13} className={`${place} text-green`} aria-label="passed" />
  ) : (
    <CircleX size={13} className={`${place} text-red`} aria-label="failed" />
  )
}
