// Owns the presets: sets of recovery numbers with a name. A preset counts for the keys that no file sets.

export const PRESET_NAMES = ['default', 'patient'] as const
export type Preset = (typeof PRESET_NAMES)[number]

const minutes = (n: number) => n * 60_000

/** `patient`: waits three minutes, then twice as long each time, and gives up after five hours of work. */
export const presets: Readonly<Record<Preset, Readonly<Record<string, number>>>> = {
  default: {},
  patient: {
    'backoff.base': minutes(3),
    'backoff.cap': minutes(5 * 60),
    deadline: minutes(5 * 60),
    'crashLoop.deaths': 7,
    'crashLoop.window': minutes(5 * 60),
  },
}
