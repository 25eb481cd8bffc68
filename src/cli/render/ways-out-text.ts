// Owns the text about what else can be done with a session: as commands.
import type { WayOut } from '../../domain/errors.ts'

const DOES: Readonly<Record<WayOut['do'], string>> = {
  finish: 'completes it when its turn is over',
  kill: 'ends it now',
  retry: 'starts it over',
}

/** `` `holdfast retry …` starts it over; `holdfast kill …` ends it now `` */
export const waysOutText = (ways: readonly WayOut[]) =>
  ways.map((way) => `\`holdfast ${way.do} ${way.id}\` ${DOES[way.do]}`).join('; ')
