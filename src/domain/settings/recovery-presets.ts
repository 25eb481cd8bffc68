// Owns the sets of numbers that can be chosen by one word. They stand for what a file does not set itself.

export const PRESET_NAMES = ['default', 'patient'] as const
export type Preset = (typeof PRESET_NAMES)[number]

const minutes = (n: number) => n * 60_000

/** `patient`: three minutes, doubling, within five hours, as a monitor that is run by a timer would do it. */
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
