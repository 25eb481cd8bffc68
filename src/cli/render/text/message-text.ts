import type { MessageJson } from '../../../protocol/json/thread-json.ts'
import { oneLine } from '../print/cells.ts'
import { localSecond } from '../print/time.ts'

/** A head line, then the text as it was written, made harmless. */
export const messageLines = ({ number, author, kind, refs, text, at }: MessageJson): string[] => [
  `#${number} ${oneLine(author)}, ${kind}, ${localSecond(at)}${refs.length === 0 ? '' : ` [${refs.map(oneLine).join(', ')}]`}`,
  ...text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${harmless(line)}`),
]

/** Blanks and tabs stay; escapes and direction marks do not reach the terminal. */
const harmless = (line: string) => line.replace(/[^\P{Cc}\t]|[\p{Cf}\p{Cs}]/gu, '')
