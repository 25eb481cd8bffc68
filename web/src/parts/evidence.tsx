import { sourceWord } from '../words/evidence.ts'
import { Ago } from './age.tsx'

/** Who says so, and how long ago: `its own word, 2 min ago`. The facts themselves stand in the title. */
export const Evidence = ({
  source,
  at,
  fact,
}: {
  readonly source: string
  readonly at: number
  readonly fact?: string
}) => (
  <span className="text-mut text-sm" title={fact}>
    {sourceWord(source)}, <Ago at={at} />
  </span>
)
