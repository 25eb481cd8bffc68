import { useDiff } from '../../../data/task/changes.ts'
import { classes } from '../../../parts/classes.ts'
import { Stale } from '../../../parts/stale.tsx'
import { diffLines } from './diff-lines.ts'

/** More lines than this would make the page slow; the file itself has them. */
const MOST_LINES = 3000

export function DiffOf({
  id,
  path,
  atWork,
}: {
  readonly id: string
  readonly path: string
  readonly atWork: boolean
}) {
  const diff = useDiff(id, path, atWork)
  return (
    <div className="border-line border-t">
      <Stale of={diff}>
        {({ diff: text, cut }) => {
          const lines = diffLines(text)
          return (
            <section
              aria-label={`Diff of ${path}`}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so that keys must reach it.
              tabIndex={0}
              className="max-h-[60vh] overflow-auto bg-code py-2"
            >
              <pre className="w-fit min-w-full leading-relaxed">
                {lines.slice(0, MOST_LINES).map((line, index) => (
                  <span
                    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one diff never move.
                    key={index}
                    className={classes('block px-3', lineClass(line))}
                  >
                    {line === '' ? ' ' : line}
                  </span>
                ))}
              </pre>
              {(cut || lines.length > MOST_LINES) && (
                <p className="px-3 pt-2 text-mut text-sm">The diff is longer. The rest is in the file.</p>
              )}
            </section>
          )
        }}
      </Stale>
    </div>
  )
}

function lineClass(line: string): string {
  if (line.startsWith('+')) return 'bg-green/10 text-green'
  if (line.startsWith('-')) return 'bg-red/8 text-red'
  return line.startsWith('@@') ? 'text-blue' : ''
}
