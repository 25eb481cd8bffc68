// Makes a recorded screen anybody's: no path, id, port or time of the machine it was recorded on.
import type { ScreenView } from '../../src/ports/run/screen.ts'

export type Screen = Required<ScreenView>

/** As long as what it stands for, so that nothing moves on the screen. */
export const ROOT = '/home/user'

/** What a program makes up anew each time, and what stands for it. */
const MADE_UP: readonly (readonly [RegExp, string])[] = [
  [/\b[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}\b/g, '01a1e096-def8-70ec-918f-7986c0a25cf3'],
  [/\bses_\w{26}\b/g, 'ses_e1f6d57abffeXsZ8WxAHJ6xdh2'],
  [/\b127\.0\.0\.1:\d+/g, '127.0.0.1:44139'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-16T00:28:48.991Z'],
  [/(?<="resets_at":)\d{10}\b/g, '1794783169'],
  [/\b[A-Z][a-z]{2} \d{1,2}(?:st|nd|rd|th), \d{4}\b/g, 'Nov 20th, 2026'],
  [/\b\d{1,2}:\d\d [AP]M\b/g, '7:43 PM'],
  [/(?<=• )\d\d:\d\d\b/g, '18:43'],
  [/\b\d\d:\d\d:\d\d\b(?!\.)/g, '23:28:46'],
]

export function anybodysScreen({ text, title, cursor }: Screen, root: string): Screen {
  const anybodys = (words: string) =>
    MADE_UP.reduce((so, [pattern, constant]) => so.replace(pattern, constant), words.replaceAll(root, ROOT))
  return { text: anybodys(text), title: anybodys(title), cursor }
}
