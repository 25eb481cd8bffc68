// Owns the text about what else can be done with a session: as commands.
import type { WayOut } from '../../../domain/errors.ts'

const WAYS: Readonly<Record<WayOut['do'], { readonly with?: string; readonly does: string }>> = {
  answer: { with: ' <answer>', does: 'answers its question' },
  finish: { does: 'completes it when its turn is over' },
  kill: { does: 'ends it now' },
  resume: { does: 'brings it back' },
  retry: { does: 'starts it over' },
  send: { with: ' "<prompt>"', does: 'gives it another prompt' },
}

/** `` `holdfast retry …` starts it over; `holdfast kill …` ends it now `` */
export const waysOutText = (ways: readonly WayOut[]) =>
  ways
    .map((way) => `\`holdfast ${way.do} ${way.id}${WAYS[way.do].with ?? ''}\` ${WAYS[way.do].does}`)
    .join('; ')
