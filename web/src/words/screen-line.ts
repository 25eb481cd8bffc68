// Owns which line of an agent's screen tells what it does: not its frame, its input, its hints or its status line. Pure.

const FRAME = /^[\s│┃╹╻▀▄─━═╭╮╰╯┌┐└┘▏▕|]+|[\s│┃╹╻▀▄─━═╭╮╰╯┌┐└┘▏▕|]+$/g
const INPUT = /^[❯›>](\s|$)/
/** What moves or marks the beginning of a line. */
const GLYPHS = /^[\s●•⏺∙◦○◐◑◒◓✻✶✳✢✽·*▣⎿↳■⬝▪□⚠⏸⠀-⣿]+/
const STARTS_ACT = /^\s*[●•⏺◦▣⎿$]\s*\S/
const HINT =
  /\s*[([]?\b(?:\d+s? [•·] )?(?:esc|escape|ctrl|alt|shift|enter|tab)\b[^)\]]*\b(?:interrupts?|cancel|exits?|sends?|edit|expand|commands|paste|send now|clear)\b[^)\]]*[)\]]?/gi
const MEANS_NOTHING = /^(?:\? for shortcuts|for shortcuts|queued:|press up to|messages to be submitted)/i
/** `Working…`, `Osmosing…`: that it works is said beside it already. */
const ONLY_WORKS = /^\p{Lu}?\p{L}+(?:…|\.\.\.)?$/u

/** Null when no line says anything. */
export function screenLine(screen: string): string | null {
  const lines = aboveInput(aboveRule(screen.split('\n')).map((line) => line.replace(FRAME, '')))
  let works: string | null = null
  for (const line of lines.toReversed()) {
    const words = wordsOf(line)
    if (words === null) continue
    if (works === null && !ONLY_WORKS.test(words)) return words
    works ??= words
    // Above a line that only says that it works stands what it works at.
    if (STARTS_ACT.test(line) && !ONLY_WORKS.test(words)) return words
  }
  return works
}

const RULE = /^\s*─{20,}\s*$/

/** Below the last rule across the screen, agents have their status. */
const aboveRule = (lines: readonly string[]) => {
  const at = lines.findLastIndex((line) => RULE.test(line))
  return at > 0 ? lines.slice(0, at) : lines
}

/** The last line of input, and the hints below it, are not the agent's. */
function aboveInput(lines: readonly string[]): readonly string[] {
  const at = lines.findLastIndex((line) => INPUT.test(line))
  const above = lines.slice(0, Math.max(at, 0))
  return above.some((line) => wordsOf(line) !== null) ? above : lines
}

function wordsOf(line: string): string | null {
  if (INPUT.test(line)) return null
  const words = line.replace(HINT, '').replace(GLYPHS, '').replace(FRAME, '').trim()
  const says = (words.match(/\p{L}/gu) ?? []).length >= 3 && !MEANS_NOTHING.test(words)
  return says ? words.replace(/\s{2,}/g, ' ') : null
}
