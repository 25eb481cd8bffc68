// Owns speaking with a task's agent: what is said is stored at once; whoever said it may wait until the agent has it.

import { endConversation, type SendAs, sendPrompt } from '../../../delivery/inputs/send-prompt.ts'
import { isTurnOver } from '../../../delivery/inputs/turn-over.ts'
import { checkPrompt } from '../../../domain/conversation/check-prompt.ts'
import { isOwnQuestion } from '../../../domain/conversation/holdfast-question.ts'
import { HoldfastError } from '../../../domain/errors.ts'
import type { TaskId } from '../../../domain/names/ids.ts'
import { termsOf } from '../../../domain/settings/task-terms.ts'
import type { Input, Trigger } from '../../../domain/task/input.ts'
import { isEnded } from '../../../domain/task/machine.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { ConversationReads } from '../../../ports/store/conversation.ts'
import type { RequestKey } from '../../../ports/store/request-keys.ts'
import type { Reads } from '../../../ports/store/store.ts'
import type { TaskReads } from '../../../ports/store/tasks.ts'
import { oncePerKey, withKey } from '../../kernel/once-per-key.ts'
import { answerElsewhere } from '../../orders/answer-elsewhere.ts'
import { type AnswerRequest, answerTask, type GivenAnswer } from '../../orders/answer-task.ts'
import { isOurs } from '../../orders/of-other-node.ts'
import type { OrderBook } from '../../orders/order-book.ts'
import { type KeysAsked, pressKeys } from '../../orders/press-keys.ts'
import { existingTask } from '../../task/existing-task.ts'
import { admitPrompt } from '../../wakes/admit-prompt.ts'
import type { DeskNeeds } from '../needs.ts'
import { until } from '../wait/waiting.ts'

export const conversationDesk = (orders: Pick<OrderBook, 'give'>, core: DeskNeeds) => ({
  answer: (task: Task, given: AnswerRequest): Promise<GivenAnswer> =>
    isOurs(task, core) ? answerTask(task, given, core) : answerElsewhere(task, given, orders, core),
  /** Once for each key of a request, which names the trigger too, unless it has a key of its own. */
  send: (
    task: Task,
    prompt: string,
    by: string,
    {
      request,
      key = request?.key,
      ...as
    }: Omit<SendAs, 'admit' | 'along'> & { readonly request?: RequestKey | undefined } = {},
  ): Promise<Trigger> =>
    oncePerKey(
      request,
      {
        make: () =>
          sendPrompt(task, prompt, by, core, {
            ...as,
            key,
            along: along(task, request, core),
            admit: () => admitPrompt({ thread: as.thread ?? null, by }, core),
          }),
        madeBefore: () => existing(task, core.store.triggerWithKey(task.id, key ?? '')),
      },
      core,
    ),
  /** Tells the agent that no more prompts will come; once for each key of a request. */
  end: (task: Task, by: string, request: RequestKey | undefined): Promise<Input> =>
    oncePerKey(
      request,
      {
        make: () => endConversation(task, by, core, along(task, request, core)),
        madeBefore: () =>
          existing(
            task,
            inputThat(task.id, ({ kind }) => kind === 'end', core),
          ),
      },
      core,
    ),

  /** A person presses single keys in the agent's terminal. */
  press: (task: Task, asked: KeysAsked): Promise<void> => pressKeys(task, asked, core),

  /** Returns the prompt as the task's agent gets it. Throws when it may not be given this prompt. */
  checkPrompt: (prompt: string, task: Task): string =>
    checkPrompt(Buffer.from(prompt), termsOf(task, core).longestPromptBytes),

  /** True when the agent has the answer, or when the person's choice is carried out; false when that took longer than `patienceMs`. */
  whenAnswered(id: TaskId, given: GivenAnswer, patienceMs: number): Promise<boolean> {
    const isOver = () => (isClosing(given) ? hasEnded(id, core) : isSettled(id, given, core))
    return until(id, isOver, patienceMs, core)
  },

  /** Waits until the agent has the input, at most `patienceMs`. Returns the input as it is then. */
  async whenHeard(id: TaskId, number: number, patienceMs: number): Promise<Input> {
    await until(id, async () => isWithAgent(await existingInput(id, number, core)), patienceMs, core)
    return await existingInput(id, number, core)
  },

  /** Whether the task has ended. Waits for the end only if the task's turn was over when it was ordered to finish. */
  async whenFinished(task: Task, patienceMs: number): Promise<boolean> {
    const isOver = () => hasEnded(task.id, core)
    return isTurnOver(task) ? await until(task.id, isOver, patienceMs, core) : await isOver()
  },
})

/** A person chose to close the task. The end of the task is waited for, because its processes are gone then. */
const isClosing = ({ question, answer }: GivenAnswer) => isOwnQuestion(question) && answer.text === 'close'

const isSettled = async (id: TaskId, { question }: GivenAnswer, { store }: Reads<ConversationReads>) =>
  !(await store.openQuestions(id)).some(({ number }) => number === question.number)

const along = ({ id }: Task, request: RequestKey | undefined, { clock }: Pick<DeskNeeds, 'clock'>) =>
  withKey(request, { taskId: id, at: clock.now() })

const existingInput = (id: TaskId, number: number, core: Reads<ConversationReads>) =>
  existing(
    { id },
    inputThat(id, (one) => one.number === number, core),
  )

const inputThat = async (
  id: TaskId,
  isIt: (input: Input) => boolean,
  { store }: Reads<ConversationReads>,
): Promise<Input | undefined> => (await store.inputs(id)).find(isIt)

/** An input is missing only when its task was removed. */
async function existing<One>({ id }: Pick<Task, 'id'>, looking: Promise<One | undefined>): Promise<One> {
  const found = await looking
  if (found === undefined) throw new HoldfastError('TASK_NOT_FOUND', `Session not found: ${id}`)
  return found
}

const isWithAgent = ({ kind, heardAt }: Input) => kind === 'end' || heardAt !== null

const hasEnded = async (id: TaskId, core: Reads<TaskReads>) => isEnded((await existingTask(id, core)).status)
