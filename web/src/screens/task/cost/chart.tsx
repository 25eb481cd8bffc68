import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef, useState } from 'react'
import UPlot from 'uplot'
import { useSignal } from '../../../data/signal.ts'
import { At } from '../../../parts/age.tsx'
import { theme } from '../../../shell/theme.ts'
import { amount, clockTime, money } from '../../../words/time.ts'
import type { UsagePoint } from '../../../words/usage.ts'

const HEIGHT_PX = 260
/** An axis of less than this would have the same time twice. */
const SHORTEST_SECONDS = 10
const STEPS_SECONDS = [1, 2, 5, 10, 15, 30].concat(
  [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, 2880, 10080].map((minutes) => minutes * 60),
)

type Scale = 'tokens' | 'cost'
type Line = {
  readonly name: string
  readonly colour: string
  readonly scale: Scale
  readonly of: (point: UsagePoint) => number
}
const TOKENS: readonly Line[] = [
  { name: 'Tokens in', colour: '--teal', scale: 'tokens', of: ({ tokensIn }) => tokensIn },
  { name: 'Tokens out', colour: '--indigo', scale: 'tokens', of: ({ tokensOut }) => tokensOut },
]
const COST: Line = { name: 'Cost', colour: '--amber', scale: 'cost', of: ({ costUsd }) => costUsd }

/** No line for a cost that no agent reported. */
const linesOf = (points: readonly UsagePoint[]): readonly Line[] =>
  hasCost(points) ? [...TOKENS, COST] : TOKENS
const hasCost = (points: readonly UsagePoint[]) => points.some(({ costUsd }) => costUsd > 0)
const figure = (scale: Scale, value: number) => (scale === 'cost' ? money(value) || '$0' : amount(value))

/** Sums over time: tokens at the left, dollars at the right. They stay as they are until the next report. */
export function Chart({ points }: { readonly points: readonly UsagePoint[] }) {
  const box = useRef<HTMLDivElement>(null)
  const chosen = useSignal(theme)
  /** Where somebody points at. */
  const [index, setIndex] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours.
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const lines = linesOf(points)
    const plot = new UPlot(optionsFor(element, lines, setIndex), dataOf(points, lines), element)
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [points, chosen])
  const shown = (index === null ? undefined : points[index]) ?? points.at(-1)
  const label = hasCost(points) ? 'Tokens and cost over time' : 'Tokens over time'
  return (
    <>
      {shown !== undefined && <Legend point={shown} lines={linesOf(points)} />}
      <div ref={box} role="img" aria-label={label} />
    </>
  )
}

/** The figures of one moment: the last one, or where somebody points at. */
const Legend = ({ point, lines }: { readonly point: UsagePoint; readonly lines: readonly Line[] }) => (
  <div className="mb-3 flex flex-wrap items-end justify-between gap-x-7 gap-y-2">
    <dl className="flex flex-wrap gap-x-7 gap-y-2">
      {lines.map(({ name, colour, scale, of }) => (
        <div key={name}>
          <dt className="flex items-center gap-1.5 text-mut text-xs">
            <span
              aria-hidden="true"
              className="h-0.5 w-3 rounded-full"
              style={{ background: `var(${colour})` }}
            />
            {name}
          </dt>
          <dd className="font-semibold text-lg">{figure(scale, of(point))}</dd>
        </div>
      ))}
    </dl>
    <span className="text-mut text-sm">
      <At at={point.at} />
    </span>
  </div>
)

const dataOf = (points: readonly UsagePoint[], lines: readonly Line[]): UPlot.AlignedData => [
  points.map(({ at }) => at / 1000),
  ...lines.map(({ of }) => points.map(of)),
]

/** A sum stands until the next report: the one before the pointer counts, not the nearest. */
function pointAt({ cursor: { left = -1 }, data: [times], posToVal }: UPlot): number | null {
  if (left < 0) return null
  const at = posToVal(left, 'x')
  return Math.max(
    0,
    times.findLastIndex((time) => time <= at),
  )
}

function optionsFor(
  element: HTMLElement,
  lines: readonly Line[],
  onPoint: (index: number | null) => void,
): UPlot.Options {
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(name)
  const stepped = UPlot.paths.stepped!({ align: 1 })
  const axis = {
    stroke: colour('--mut'),
    font: `12px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  }
  const times = (_: unknown, ticks: readonly number[]) => {
    const last = (ticks.at(-1) ?? 0) * 1000
    const withSeconds = ticks.some((tick) => tick % 60 !== 0)
    return ticks.map((tick) => clockTime(tick * 1000, last, withSeconds))
  }
  const costAxis: UPlot.Axis = {
    ...axis,
    scale: 'cost',
    side: 1,
    size: 78,
    grid: { show: false },
    // The time below the corner needs its room.
    values: (_, ticks) => ticks.map((tick) => (tick === 0 ? '' : axisMoney(tick))),
  }
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false },
    scales: {
      x: { time: true, range: (_, from, to) => [from, Math.max(to, from + SHORTEST_SECONDS)] },
      tokens: { range: (_, __, most) => [0, Math.max(1, most * 1.08)] },
      cost: { range: (_, __, most) => [0, Math.max(0.01, most * 1.08)] },
    },
    series: [
      {},
      ...lines.map(({ colour: name, scale }) => ({
        stroke: colour(name),
        width: 1.6,
        scale,
        paths: stepped,
        points: { show: false },
      })),
    ],
    axes: [
      { ...axis, values: times, incrs: STEPS_SECONDS, space: 90 },
      { ...axis, scale: 'tokens', values: (_, ticks) => ticks.map((tick) => amount(tick)) },
      ...(lines.includes(COST) ? [costAxis] : []),
    ],
    hooks: { setCursor: [(plot) => onPoint(pointAt(plot))] },
  }
}

/** Ticks may lie a fraction of a cent apart: as many digits as tell them apart. */
const axisMoney = (tick: number) => `$${Number(tick.toPrecision(3))}`
