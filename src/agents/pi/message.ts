// Owns what one message of Pi's model means: its text, its cost, and whether and how it ended the work.
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import {
  asFields,
  type Fields,
  isAmount,
  isCount,
  isText,
  MOST_DETAIL,
  MOST_NAME,
  MOST_TEXT,
  short,
} from '../shared/json-line.ts'
import { limitedBy } from '../shared/limited.ts'
import { classOfError, limitEnd } from './failure.ts'

const partsOf = (content: unknown): Fields[] => (Array.isArray(content) ? content.map(asFields) : [])

/** The text of a message, without thoughts, images and tool calls. */
export function textOf(content: unknown): string {
  const texts = partsOf(content).map(({ type, text }) => (type === 'text' && isText(text) ? text : ''))
  return short(texts.filter((text) => text !== '').join('\n'), MOST_TEXT)
}

/** The usage of one message. Cache tokens are not part of `input`, and are added. */
export function readUsage(usage: unknown): AgentSays[] {
  const { input, output, cacheRead, cacheWrite, cost } = asFields(usage)
  const sum = (...counts: unknown[]) => counts.filter(isCount).reduce((total, count) => total + count, 0)
  const [tokensIn, tokensOut] = [sum(input, cacheRead, cacheWrite), sum(output)]
  const { total } = asFields(cost)
  if (tokensIn + tokensOut === 0) return []
  return [{ kind: 'usage', tokensIn, tokensOut, costUsd: isAmount(total) ? total : 0 }]
}

/** Whether this is the model's last message. With a tool call it is not, whatever the reason says: the tool will run. */
export const endsWell = ({ stopReason, content }: Fields) =>
  stopReason === 'stop' && !partsOf(content).some(({ type }) => type === 'toolCall')

/** How the work ended, given that this is the last message. */
export function endWith({ stopReason, errorMessage, content, timestamp }: Fields): AgentSays[] {
  // A tool may end the work without a last message of the model.
  if (stopReason === 'stop' || stopReason === 'toolUse')
    return [{ kind: 'finished', ok: true, text: textOf(content) }]
  if (stopReason === 'aborted')
    return [{ kind: 'finished', ok: false, text: 'interrupted', failure: 'crash', interrupted: true }]
  if (!isText(errorMessage)) {
    const text = `the model stopped early: ${short(String(stopReason), MOST_NAME)}`
    return [{ kind: 'finished', ok: false, text, failure: 'crash' }]
  }
  const text = short(errorMessage, MOST_DETAIL)
  const failure = classOfError(text)
  const untilMs = limitEnd(text, isCount(timestamp) ? timestamp : null)
  const limited = failure === 'limit' ? [limitedBy(text, untilMs)] : []
  return [...limited, { kind: 'finished', ok: false, text, failure }]
}
