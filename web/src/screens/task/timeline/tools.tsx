// Owns the lane of tool calls: a tick for each, as long as the call took.
import { classes } from '../../../parts/classes.ts'
import { place, type Timeline } from '../../../words/timeline.ts'

type Given = {
  readonly line: Timeline
  /** Calls that have no tick, because only the last ones are kept. */
  readonly notKept: number
  readonly onShow: (at: number, what: string) => void
}

export const Tools = ({ line, notKept, onShow }: Given) => (
  <div className="mt-1.5 flex items-center">
    <span className="w-14 shrink-0 text-mut text-xs">Tools</span>
    <div className="relative h-6 flex-1 rounded-md bg-soft">
      {notKept > 0 && (
        <span className="absolute top-1 left-1.5 text-mut text-xs leading-4">
          {notKept} earlier {notKept === 1 ? 'call is' : 'calls are'} not kept
        </span>
      )}
      {line.ticks.map(({ from, to, failed, label }) => (
        <button
          key={`${from} ${label}`}
          type="button"
          aria-label={label}
          onPointerEnter={() => onShow(from, label)}
          onFocus={() => onShow(from, label)}
          onClick={() => onShow(from, label)}
          className={classes(
            // The line at its end tells it from the next one.
            'absolute top-1 h-4 min-w-1 rounded-xs border-soft border-r hover:brightness-75',
            failed ? 'bg-red' : 'bg-mut/50',
          )}
          style={{
            left: `min(${place(from, line)}, calc(100% - 0.2rem))`,
            width: `calc(${place(to, line)} - ${place(from, line)})`,
          }}
        />
      ))}
    </div>
  </div>
)
