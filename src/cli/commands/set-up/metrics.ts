import { text } from 'node:stream/consumers'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'

type Sample = { name: string; labels: Record<string, string>; value: number | null }

/** Starts no daemon: the metrics of one that has just begun would say nothing. */
export async function metrics(_input: InputOf<'metrics'>, context: Context): Promise<number> {
  const told = await text(await context.runningDaemon().stream('GET /metrics'))
  context.show({ metrics: context.json ? samplesIn(told) : [] }, () => [told.trimEnd()])
  return 0
}

/** `value`: null for what JSON has no number for. */
function samplesIn(told: string): Sample[] {
  return told.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name === undefined) return []
    const number = Number(value)
    return [{ name, labels: labelsIn(labels), value: Number.isFinite(number) ? number : null }]
  })
}

const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, unescaped(value ?? '')]),
  )

const unescaped = (value: string) => value.replace(/\\(.)/g, (_, next) => (next === 'n' ? '\n' : next))
