// Owns the text of output.log: one or more lines for each event, without control characters that a terminal would obey.
import type { OutputHead } from '../../domain/run/output-heads.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { AgentSays } from '../../ports/run/agent-driver.ts'

const MOST_DETAIL = 300

export function renderSays(says: AgentSays): string {
  const [who, text] = whoAndText(says)
  const [first = '', ...rest] = harmless(text).split('\n')
  const indent = ' '.repeat(who.length + 2)
  return `${[`${who}: ${first}`, ...rest.map((line) => indent + line)].join('\n')}\n`
}

function whoAndText(says: AgentSays): [who: OutputHead, text: string] {
  switch (says.kind) {
    case 'session':
      return ['session', says.id]
    case 'said':
      return ['agent', says.text]
    case 'note':
      return ['note', brief(says.text)]
    case 'tool_began':
      return ['tool', brief(`${says.tool} ${says.detail}`)]
    case 'tool_ended':
      return [says.ok ? 'tool done' : 'tool failed', brief(`${says.tool} ${says.detail}`)]
    case 'asked':
      return ['asks', [says.question, ...says.options.map((option, at) => `${at + 1}. ${option}`)].join('\n')]
    case 'answered':
      return ['answer', says.answer]
    case 'heard':
      return ['prompt', brief(says.text ?? says.ref ?? '')]
    case 'blocked':
      return ['blocked', brief(`${says.tool} ${says.why}`)]
    case 'limited':
      return ['limit', says.untilMs === null ? says.message : `${says.message} (until ${time(says.untilMs)})`]
    case 'usage':
      return ['usage', usageText(says)]
    case 'finished':
      return [says.ok ? 'result' : 'result, failed', says.text || 'it said nothing']
    case 'unknown':
      return ['unknown', brief(says.line)]
  }
}

/** No agent reports a cost of nothing: it reports none. */
function usageText({ tokensIn, tokensOut, costUsd, cumulative }: Extract<AgentSays, { kind: 'usage' }>) {
  const cost = costUsd > 0 ? `, $${costUsd.toFixed(4)}` : ''
  return `${tokensIn} tokens in, ${tokensOut} out${cost}${cumulative ? ' so far' : ''}`
}

/** Control characters become pictures of themselves (ESC is ␛); marks that reorder text become �. */
function harmless(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replace(/[\x00-\x09\x0b-\x1f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
    .replaceAll('\x7f', '␡')
    .replace(/[\x80-\x9f\u2028-\u202e\u2066-\u2069]/g, '\ufffd')
}

/** Without secrets before it is cut: the half of a key is not known for one. */
function brief(text: string): string {
  const line = redactSecrets(text.trimEnd())
  return line.length > MOST_DETAIL ? `${line.slice(0, MOST_DETAIL).replace(/[\ud800-\udbff]$/, '')}…` : line
}

/** An agent's number may be beyond the largest date (8.64e15 ms). */
function time(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? 'an unknown time' : date.toISOString()
}
