// Owns the commands that people write in a chat: /tasks, /task status|cancel|history <id>, /answer <id> <choice>.
import { HoldfastError, isHoldfastError } from '../../domain/errors.ts'
import { LAST } from '../../domain/names/names.ts'
import type { Caller } from '../../domain/task/caller.ts'
import { iso } from '../../domain/task/session-record.ts'
import type { Task } from '../../domain/task/task.ts'
import { contentHash } from '../../domain/text/content-hash.ts'
import type { RequestKey } from '../../ports/store/request-keys.ts'
import { line } from '../words.ts'
import type { HearNeeds } from './hear.ts'

const MOST_TASKS = 20
const MOST_STEPS = 15
const LONGEST_REASON = 200
/** Slack and Lark take no reply after three seconds. */
const REPLY_WITHIN_MS = 2000

const HELP = [
  '/tasks: the sessions that have not ended',
  '/task status <session>: how it is, and what it asks',
  '/task history <session>: what happened to it',
  '/task cancel <session>: end it',
  '/answer <session> <choice>: answer what it asks',
].join('\n')

type By = Caller & { readonly kind: 'channel' }

/** Resolves with the words of the reply. `key`: the same when the channel brings the command again. */
export async function runCommand(text: string, key: string, caller: By, needs: HearNeeds): Promise<string> {
  const [command = '', ...words] = text.trim().split(/\s+/)
  // Telegram adds the name of the bot in groups.
  switch (command.replace(/@\w+$/, '').toLowerCase()) {
    case '/tasks':
      return listTasks(needs)
    case '/task':
      return aboutTask(words, key, caller, needs)
    case '/answer':
      return answer(words, key, caller, needs)
    default:
      return HELP
  }
}

async function aboutTask(
  [verb = '', which = '']: readonly string[],
  key: string,
  caller: By,
  needs: HearNeeds,
): Promise<string> {
  if (!['status', 'cancel', 'history'].includes(verb) || which === '') return HELP
  // A command may come again, when another session is the last one.
  if (verb === 'cancel' && which === LAST)
    return `Name the session to end: '${LAST}' may be another one by now.`
  const task = await needs.desk.tasks.find(which)
  if (verb === 'status') return status(task, needs)
  if (verb === 'history') return history(task, needs)
  const settled = await needs.desk.orders.give({
    taskId: task.id,
    kind: 'kill',
    by: caller.name,
    words: `Killed by ${caller.name}`,
    key: keyOf(key, verb, caller)?.key ?? null,
  })
  const isDone = await inTime(settled(), needs)
  if (isDone === undefined) return `${task.id} is being ended.`
  return isDone ? `${task.id} is ended.` : `${task.id} had ended before.`
}

/** Undefined when it takes too long for a reply. It goes on all the same. */
const inTime = <Done>(work: Promise<Done>, { clock }: HearNeeds): Promise<Done | undefined> =>
  new Promise((resolve, reject) => {
    const cancel = clock.after(REPLY_WITHIN_MS, () => resolve(undefined))
    void work.then(resolve, reject).finally(cancel)
  })

async function listTasks({ desk }: HearNeeds): Promise<string> {
  const ids = await desk.lists.unended(undefined)
  const tasks: Task[] = []
  for (const id of ids.slice(0, MOST_TASKS)) tasks.push(await desk.tasks.get(id))
  const more = ids.length - tasks.length
  if (tasks.length === 0) return 'No session is at work.'
  return [...tasks.map(oneLine), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

async function status(task: Task, { desk }: HearNeeds): Promise<string> {
  const { questions } = await desk.look.closely(task)
  const open = questions.flatMap(({ question }) => (question.answer === null ? [question] : []))
  return [
    oneLine(task),
    ...(task.reason === null ? [] : [shown(task.reason)]),
    ...open.flatMap(({ number, text, options }) => [
      `Question ${number}: ${shown(text)}`,
      ...options.map((option, at) => `${at + 1}. ${shown(option)}`),
      `/answer ${task.id} <choice>`,
    ]),
  ].join('\n')
}

async function history(task: Task, { desk }: HearNeeds): Promise<string> {
  const { transitions } = await desk.look.story(task)
  const left = transitions.length - MOST_STEPS
  return [
    task.id,
    ...(left > 0 ? [`(${left} earlier steps are left out)`] : []),
    ...transitions.slice(-MOST_STEPS).map(({ at, event, reason }) => `${iso(at)} ${event}: ${shown(reason)}`),
  ].join('\n')
}

/** Channels bring again what was not confirmed in time: then it is the same command. Undefined where nothing tells that. */
const keyOf = (key: string, text: string, { name, channel }: By): RequestKey | undefined =>
  key === ''
    ? undefined
    : {
        createdBy: name,
        route: 'inbound',
        key: `${channel}-${contentHash(key).slice(0, 32)}`,
        digest: contentHash(text),
      }

/** A command that comes again is told what was answered then: it never answers the next question. */
async function answer(
  [which = '', ...words]: readonly string[],
  key: string,
  caller: By,
  { desk }: HearNeeds,
): Promise<string> {
  if (which === '' || words.length === 0) return HELP
  const choice = words.join(' ')
  const task = await desk.tasks.find(which)
  const open = await desk.notices.openQuestions(task.id)
  const asked = open.find((question) => question.answer === null) ?? open[0]
  try {
    const given = await desk.conversation.answer(task, {
      choice,
      number: asked?.number,
      by: caller.name,
      key: keyOf(key, `${which} ${choice}`, caller),
    })
    // Not always the one that was found now: `last` may be another session by then.
    const answered = await desk.tasks.get(given.question.taskId)
    return `Answered ${answered.name ?? answered.id}: ${shown(given.answer.text)}`
  } catch (error) {
    if (asked?.answer && isHoldfastError(error, 'ALREADY_ANSWERED'))
      throw new HoldfastError(
        'ALREADY_ANSWERED',
        `Answered already by ${asked.answeredBy}: ${shown(asked.answer)}`,
      )
    throw error
  }
}

const oneLine = ({ id, status, phase, title }: Task) =>
  `${id} · ${phase === null ? status : `${status}, ${phase}`} · ${shown(title)}`

/** Agents wrote it. */
const shown = (text: string) => line(text, LONGEST_REASON)
