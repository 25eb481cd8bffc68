/** How busy something was, as small bars; the last one is now. */
export function Spark({ counts, label }: { readonly counts: readonly number[]; readonly label: string }) {
  const most = Math.max(...counts)
  const step = WIDTH / counts.length
  return (
    <svg role="img" aria-label={label} width={WIDTH} height={HEIGHT} className="text-accent">
      <title>{label}</title>
      <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} stroke="var(--line)" />
      {counts.map((count, at) =>
        count === 0 ? null : (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a part of time has no name but its place.
            key={at}
            x={at * step}
            width={step - 1}
            y={HEIGHT - heightOf(count, most)}
            height={heightOf(count, most)}
            rx="0.5"
            fill="currentColor"
            opacity={at >= counts.length - 2 ? 1 : 0.55}
          />
        ),
      )}
    </svg>
  )
}
const WIDTH = 90
const HEIGHT = 20
const LEAST = 5

const heightOf = (count: number, most: number) => LEAST + (count / most) * (HEIGHT - LEAST)
