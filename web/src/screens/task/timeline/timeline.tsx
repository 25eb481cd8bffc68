// Owns the timeline: runs, waits, tool calls and checks on one axis; what each is based on, on hover, focus or tap.
import { useState } from 'react'
import type { EvidenceJson, StoryJson, WhyJson } from '../../../../../src/protocol/json/recovery-json.ts'
import { useServerNow } from '../../../data/screen/now.ts'
import { At, Sentence } from '../../../parts/age.tsx'
import { Card } from '../../../parts/card.tsx'
import { toneClass } from '../../../parts/chip.tsx'
import { classes } from '../../../parts/classes.ts'
import { axisTimes, placeOn } from '../../../words/axis.ts'
import { sourceWord } from '../../../words/evidence.ts'
import { clockTime, isSameDay, span, timeOf } from '../../../words/time.ts'
import { type Bar, type Lane, type Mark, place, type Timeline, timelineOf } from '../../../words/timeline.ts'
import { callsNotKept } from '../../../words/tool-ticks.ts'
import { Tools } from './tools.tsx'

const LANES: readonly Lane[] = ['Runs', 'Waits', 'Checks']
/** A narrower bar has no room for its label: hover and focus tell it. */
const ROOM_FOR_LABEL = 0.06
const MINUTE_MS = 60_000
/** The part of the axis that the words of one time take, and some room. */
const ROOM_FOR_TIME = 0.13

/** `asks`: what it asks stands above; it is told here only of a bar that somebody points at. */
export function TimelineOf({ why, asks = false }: { readonly why: WhyJson; readonly asks?: boolean }) {
  const now = useServerNow() ?? timeOf(why.story.at(-1)?.at ?? '')
  const line = timelineOf(why, now)
  const [shown, show] = useState<Explained>()
  const showStep = (step: StoryJson | undefined) => show(step && explained(step))
  const lanes = LANES.filter((lane) => line.bars.some((bar) => bar.lane === lane))
  return (
    <Card label="Timeline" className="overflow-x-auto px-4 pt-3 pb-3">
      <div className="relative md:min-w-130">
        <Cuts line={line} />
        <Axis line={line} />
        {lanes.map((lane) => (
          <div key={lane} className="mt-1.5 flex items-center">
            <span className="w-14 shrink-0 text-mut text-xs">{lane}</span>
            <div className="relative h-6 flex-1 rounded-md bg-soft">
              {line.bars
                .filter((bar) => bar.lane === lane)
                .map((bar) => (
                  <BarOf key={`${bar.from} ${bar.label}`} bar={bar} line={line} onShow={showStep} />
                ))}
              {lane === 'Runs' &&
                line.marks.map((mark) => (
                  <MarkOf key={`${mark.from} ${mark.label}`} mark={mark} line={line} onShow={showStep} />
                ))}
            </div>
          </div>
        ))}
        {line.ticks.length > 0 && (
          <Tools
            line={line}
            notKept={callsNotKept(why.runs)}
            onShow={(at, what) => show({ at, what, evidence: [] })}
          />
        )}
      </div>
      <Told what={shown ?? (asks ? undefined : lastOf(why.story))} />
    </Card>
  )
}

/** What is told below the axis, of one moment. */
type Explained = { readonly at: number; readonly what: string; readonly evidence: readonly EvidenceJson[] }
const explained = ({ at, reason, evidence }: StoryJson): Explained => ({
  at: timeOf(at),
  what: reason,
  evidence,
})
const lastOf = (story: readonly StoryJson[]) => story.slice(-1).map(explained)[0]

function Axis({ line }: { readonly line: Timeline }) {
  const ticks = axisTimes(line.axis, ROOM_FOR_TIME)
  const withSeconds = ticks.some((at, index) => at - (ticks[index - 1] ?? 0) < MINUTE_MS)
  return (
    <div className="relative ml-14 h-5 text-mut text-xs" aria-hidden="true">
      {ticks.map((at, index) => (
        <span
          key={at}
          // A phone has room for half of them.
          className={classes('absolute whitespace-nowrap', index % 2 === 1 && 'max-md:hidden')}
          // Moved to the left by the same share of its own width: so the first and the last stay within the axis.
          style={{ left: place(at, line), translate: `-${place(at, line)}` }}
        >
          {/* A day is named once. */}
          {clockTime(at, isSameDay(at, ticks[index - 1] ?? line.to) ? at : line.to, withSeconds)}
        </span>
      ))}
    </div>
  )
}

/** Where time was cut out of the axis, and how much of it. What lies below can still be pointed at. */
const Cuts = ({ line }: { readonly line: Timeline }) => (
  <div className="pointer-events-none absolute top-5 right-0 bottom-0 left-14 z-10">
    {line.axis
      .filter(({ isCut }) => isCut)
      .map(({ from, to, left, right }) => (
        <span
          key={from}
          data-cut=""
          title={`${span(to - from)} are not drawn`}
          className="absolute inset-y-0 flex items-center justify-center overflow-hidden border-edge border-x border-dashed bg-panel/75 text-center text-[11px] text-mut leading-tight"
          style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }}
        >
          {right - left > ROOM_FOR_CUT && (
            <span>
              <span aria-hidden="true" className="block font-semibold tracking-tighter">
                {'//'}
              </span>
              {/* A phone has no room for it. */}
              <span className="whitespace-nowrap max-md:hidden">{span(to - from)}</span>
            </span>
          )}
        </span>
      ))}
  </div>
)
const ROOM_FOR_CUT = 0.035

type Shows = { readonly line: Timeline; readonly onShow: (step: StoryJson | undefined) => void }

function BarOf({ bar, line, onShow }: Shows & { readonly bar: Bar }) {
  const last = bar.steps.at(-1)
  const hasRoom = placeOn(line.axis, bar.to) - placeOn(line.axis, bar.from) > ROOM_FOR_LABEL
  return (
    <button
      type="button"
      aria-label={`${bar.label}, ${span(bar.to - bar.from)}: ${last?.reason ?? ''}`}
      onPointerEnter={() => onShow(last)}
      onFocus={() => onShow(last)}
      onClick={() => onShow(last)}
      className={classes(
        'absolute top-1 h-4 min-w-1 overflow-hidden whitespace-nowrap rounded-sm text-left text-xs leading-4',
        hasRoom && 'px-1.5',
        toneClass(bar.tone),
        'text-ink hover:brightness-95',
        bar.hatched
          ? 'bg-[repeating-linear-gradient(45deg,color-mix(in_srgb,var(--tone)_26%,transparent)_0_6px,transparent_6px_11px)]'
          : 'bg-[color-mix(in_srgb,var(--tone)_24%,transparent)]',
      )}
      style={{
        // A bar of no width at the end of the axis is drawn before the end, not behind it.
        left: `min(${place(bar.from, line)}, calc(100% - 0.25rem))`,
        width: `calc(${place(bar.to, line)} - ${place(bar.from, line)})`,
      }}
    >
      {hasRoom && <WholeLabel>{bar.label}</WholeLabel>}
    </button>
  )
}

/** A label for which the bar is too narrow goes to the next line, which is not seen: half a word says nothing. */
const WholeLabel = ({ children }: { readonly children: string }) => (
  <span className="flex h-4 flex-wrap">
    <span className="h-4 w-px" />
    <span data-label="">{children}</span>
  </span>
)

const MarkOf = ({ mark, line, onShow }: Shows & { readonly mark: Mark }) => (
  <button
    type="button"
    aria-label={mark.label}
    onPointerEnter={() => onShow(mark.step)}
    onFocus={() => onShow(mark.step)}
    onClick={() => onShow(mark.step)}
    className="absolute top-0.5 -translate-x-1/2 rounded-sm px-0.5 font-bold text-red text-sm"
    style={{ left: place(mark.from, line) }}
  >
    ✕
  </button>
)

/** A question can be long; the tab Why has all of it. */
const MOST_WORDS = 160
const cut = (text: string) => (text.length > MOST_WORDS ? `${text.slice(0, MOST_WORDS)}…` : text)

/** One moment in words, with its evidence. Its room is kept: what is below does not move when somebody points at a bar. */
const Told = ({ what }: { readonly what: Explained | undefined }) => (
  <p aria-live="polite" className="mt-2.5 ml-14 min-h-5 text-sm max-md:ml-0">
    {what === undefined ? (
      <span className="text-mut">Point at a bar, or tap it, to see what it is based on.</span>
    ) : (
      <>
        <span className="text-mut">
          <At at={what.at} seconds />
        </span>{' '}
        <span title={what.what}>
          <Sentence words={cut(what.what)} />
        </span>
        {what.evidence.map(({ source, fact }) => (
          <span key={`${source} ${fact}`} className="text-mut">
            {' '}
            · {sourceWord(source)}: {fact}
          </span>
        ))}
      </>
    )}
  </p>
)
