// Owns what follows when somebody presses a button or writes a command in a channel: an answer or an order in their name,
// and words that say what came of it.
import { HoldfastError, isHoldfastError, messageOf } from '../../domain/errors.ts'
import type { Notice } from '../../domain/notify/notice.ts'
import type { Caller } from '../../domain/task/caller.ts'
import type { Reply, Said, Tickets } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Desk } from '../../supervisor/desk.ts'
import { whyOver } from '../compose-message.ts'
import { runCommand } from './commands.ts'

export type HearNeeds = {
  readonly desk: Pick<Desk, 'notices' | 'tasks' | 'conversation' | 'orders' | 'lists' | 'look' | 'audit'>
  readonly tickets: Pick<Tickets, 'read'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly log: Pick<Log, 'error'>
  readonly answerWithinMs: number
}

/** Who it is for the record: `slack:team:U024BE7LH`. */
export const callerBy = (
  channel: { readonly type: string; readonly name: string },
  user: string,
): Caller & { kind: 'channel' } => ({
  kind: 'channel',
  channel: channel.name,
  user,
  name: `${channel.type}:${channel.name}:${user}`,
})

/** Never throws: whoever asked is told why it was not done. */
export async function hear(
  said: Said,
  caller: Caller & { kind: 'channel' },
  needs: HearNeeds,
): Promise<Reply> {
  try {
    const words =
      said.what.kind === 'button'
        ? await press(said.what.ticket, caller, needs)
        : await runCommand(said.what.text, said.key, caller, needs)
    return { done: true, words }
  } catch (error) {
    if (isHoldfastError(error)) return { done: false, words: error.message }
    needs.log.error('what was said in a channel failed', { by: caller.name, error: messageOf(error) })
    return { done: false, words: 'That failed because of an error in Holdfast; its log tells more.' }
  }
}

/** A button is for one question of one run, and for a while: it can never answer another dialog. */
async function press(
  ticket: string,
  caller: Caller & { kind: 'channel' },
  needs: HearNeeds,
): Promise<string> {
  const { notice, option } = await noticeOf(ticket, caller, needs)
  const { taskId, question: number } = notice
  const question =
    taskId === null || number === null ? undefined : await needs.desk.notices.question(taskId, number)
  // Its own words: the notice may have them shortened.
  const choice = question?.options[option]
  if (needs.clock.now() - notice.at > needs.answerWithinMs) throw tooLate('this button has expired')
  const over = await whyOver(notice, needs.desk)
  if (over !== null) throw tooLate(over)
  if (question === undefined || choice === undefined) throw notOurs()
  const task = await needs.desk.tasks.get(question.taskId)
  await needs.desk.conversation.answer(task, { choice, number: question.number, by: caller.name })
  return `Answered ${task.name ?? task.id}: ${notice.options[option]}`
}

async function noticeOf(
  ticket: string,
  { channel }: Caller & { kind: 'channel' },
  { tickets, desk }: HearNeeds,
): Promise<{ notice: Notice; option: number }> {
  const read = tickets.read(ticket)
  const notice = read && (await desk.notices.get(read.noticeId))
  if (read === undefined) throw notOurs()
  if (notice === undefined) throw tooLate('this notice is no longer kept')
  if (notice.channel !== channel) throw notOurs()
  return { notice, option: read.option }
}

const notOurs = () => new HoldfastError('INBOUND_REFUSED', 'This button is not one of Holdfast.')
const tooLate = (why: string) => new HoldfastError('ORDER_TOO_LATE', `Too late: ${why}.`)
