import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { useSignal } from '../../../data/signal.ts'
import { theme } from '../../../shell/theme.ts'
import { amount, money } from '../../../words/time.ts'
import type { UsagePoint } from '../../../words/usage.ts'

const HEIGHT_PX = 260

/**
 * Sums over time: tokens at the left, dollars at the right, where the agent reports any. The text above has the same
 * figures.
 */
export function Chart({ points }: { readonly points: readonly UsagePoint[] }) {
  const box = useRef<HTMLDivElement>(null)
  const chosen = useSignal(theme)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours.
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const plot = new UPlot(optionsFor(element, hasCost(points)), dataOf(points), element)
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [points, chosen])
  const label = hasCost(points) ? 'Tokens and cost over time' : 'Tokens over time'
  return <div ref={box} role="img" aria-label={label} />
}

const dataOf = (points: readonly UsagePoint[]): UPlot.AlignedData => [
  points.map(({ at }) => at / 1000),
  points.map(({ tokensIn }) => tokensIn),
  points.map(({ tokensOut }) => tokensOut),
  ...(hasCost(points) ? [points.map(({ costUsd }) => costUsd)] : []),
]

const hasCost = (points: readonly UsagePoint[]) => points.some(({ costUsd }) => costUsd > 0)

function optionsFor(element: HTMLElement, withCost: boolean): UPlot.Options {
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(name)
  const axis = {
    stroke: colour('--mut'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  }
  const line = (label: string, name: string, scale: 'tokens' | 'cost') => ({
    label,
    stroke: colour(name),
    width: 1.6,
    scale,
    value: (_: unknown, figure: number | null) =>
      figure === null ? '' : scale === 'cost' ? money(figure) : amount(figure),
  })
  const costAxis: UPlot.Axis = {
    ...axis,
    scale: 'cost',
    side: 1,
    size: 78,
    grid: { show: false },
    values: (_, ticks) => ticks.map(axisMoney),
  }
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    series: [
      { label: 'Time' },
      line('Tokens in', '--teal', 'tokens'),
      line('Tokens out', '--indigo', 'tokens'),
      ...(withCost ? [line('Cost', '--amber', 'cost')] : []),
    ],
    axes: [
      axis,
      { ...axis, scale: 'tokens', values: (_, ticks) => ticks.map((tick) => amount(tick)) },
      ...(withCost ? [costAxis] : []),
    ],
  }
}

/** Ticks may lie a fraction of a cent apart: as many digits as tell them apart. */
const axisMoney = (tick: number) => `$${Number(tick.toPrecision(3))}`
