// What keys ask to be done, while the daemon takes its time to answer.
import { expect, test } from 'vitest'
import { type BoardActionNeeds, BoardActions } from '../../../src/cli/top/board-actions.ts'
import { boardRequests, good } from '../../../src/cli/top/board-requests.ts'
import { type BoardState, INITIAL_STATE } from '../../../src/cli/top/input/state.ts'
import { footer } from '../../../src/cli/top/layout/footer.ts'
import { BoardModel } from '../../../src/cli/top/model/board-model.ts'
import { HoldfastError } from '../../../src/domain/errors.ts'
import { aNext, aTaskJson } from '../../builders/task-json.ts'
import { settled } from '../../helpers/settled.ts'
import { waitFor } from '../../helpers/wait-for.ts'

const ID = '20251118-153042-fix-login'
const QUESTION = {
  number: 1,
  question: 'Go?',
  options: [],
  asked_at: '2025-11-18T15:38:00Z',
  answer_way: 'at_once' as const,
  takes_text: true,
  asked_by: 'agent' as const,
}
const HELP_PAGE = { kind: 'help', id: '', top: 0, isAtEnd: false } as const

/** Board actions with a daemon that answers when it is told to; each answer is waited for by the one who asked. */
function atWork(env: Record<string, string> = {}) {
  let state: BoardState = INITIAL_STATE
  let answerAll = () => {}
  const daemonAnswers = new Promise<void>((resolve) => {
    answerAll = resolve
  })
  const answered: string[] = []
  const attached: string[] = []
  const sent: string[] = []
  const model = new BoardModel()
  const answers = {
    task: () => daemonAnswers.then(() => aTaskJson({ session_id: ID, tmux_active: true })),
    questions: () => daemonAnswers.then(() => [{ ...QUESTION, session_id: ID }]),
    send: (_id: string, text: string) => {
      sent.push(text)
      return daemonAnswers.then(() => ({ note: good('The agent has it.'), trigger: null }))
    },
    answer: (_id: string, _number: number, choice: string) => {
      answered.push(choice)
      const isFirst = answered.length === 1
      return daemonAnswers.then(() => {
        if (!isFirst) throw new HoldfastError('ALREADY_ANSWERED', 'It was answered before.')
        return { note: good('The dialog closed.'), isOver: true }
      })
    },
  }
  const actions = new BoardActions({
    requests: answers as unknown as BoardActionNeeds['requests'],
    daemon: () => ({ call: async () => ({ tmux_socket: '/other', tmux_outage: null }) }) as never,
    env,
    model,
    attach: async (id) => void attached.push(id),
    terminal: { enter: () => {}, leave: () => {}, suspend: () => {} },
    wantOne: () => {},
    change: (change) => {
      state = change(state)
    },
    redraw: () => {},
  })
  return {
    actions,
    model,
    answered,
    attached,
    sent,
    answerAll,
    state: () => state,
    show: (change: Partial<BoardState>) => {
      state = { ...state, ...change }
    },
  }
}

const IN_A_PANE = { TMUX: '/tmp/t,1,0', TMUX_PANE: '%1' }

test.each(['begin_answer', 'attach'] as const)(
  '%s opens no line under a page that was opened meanwhile',
  async (what) => {
    const { actions, show, state, answerAll } = atWork(IN_A_PANE)
    actions.start({ do: what, id: ID })
    show({ page: HELP_PAGE })
    answerAll()
    await settled()
    expect(state()).toMatchObject({ page: HELP_PAGE, prompt: null })
    show({ page: null })
    actions.start({ do: what, id: ID })
    await waitFor('its line', () => state().prompt !== null)
  },
)

test('begin_send opens no line under a page that was opened meanwhile', async () => {
  const { actions, show, state } = atWork()
  actions.start({ do: 'begin_send', id: ID })
  show({ page: HELP_PAGE })
  await import('../../../src/system/ids.ts')
  await settled()
  expect(state()).toMatchObject({ page: HELP_PAGE, prompt: null })
  show({ page: null })
  actions.start({ do: 'begin_send', id: ID })
  await waitFor('its line', () => state().prompt?.kind === 'send')
})

test('nothing is typed for a session that has ended: it is said so at once', async () => {
  const { actions, model, state } = atWork()
  model.takeDetail(
    model.ask(),
    aTaskJson({ session_id: ID, task_status: 'completed', status: 'COMPLETED', phase: null }),
    0,
  )
  actions.start({ do: 'begin_send', id: ID })
  await waitFor('a word', () => state().note !== null)
  expect(state()).toMatchObject({
    prompt: null,
    note: { text: `${ID} has ended (COMPLETED): it hears nothing any more. Press r to start it again.` },
  })
})

test.each([
  [aNext({ kind: 'working', what: 'nothing: it works' }), `${ID} starts again.`],
  [
    aNext({ kind: 'queued', what: 'it starts as soon as a slot is free' }),
    `${ID} starts again. Next: it starts as soon as a slot is free`,
  ],
  [
    aNext({ kind: 'behind_gate', what: 'starts over', at: '1970-01-01T00:15:00Z' }),
    `${ID} starts again. Next: in 15m 0s (…): starts over. At once: \`holdfast unpark ${ID}\``,
  ],
])('a retry after which comes %j says: %s', async (next, said) => {
  const daemon = () => ({ call: async () => aTaskJson({ session_id: ID, next }) }) as never
  const { text, tone } = await boardRequests({ daemon, env: {}, now: () => 0 }).retry(ID)
  expect({ tone, text: text.replace(/\([^)]*\)/, '(…)') }).toEqual(good(said))
})

test('inside another tmux nobody is attached before the way out was told', async () => {
  const { actions, show, state, answerAll, attached } = atWork(IN_A_PANE)
  actions.start({ do: 'attach', id: ID })
  show({ page: HELP_PAGE })
  answerAll()
  await settled()
  show({ page: null })
  actions.start({ do: 'attach', id: ID })
  await waitFor('the question', () => state().prompt?.kind === 'nested_attach')
  expect(attached).toEqual([])
})

test('a second Enter while an answer is on its way is not a second answer', async () => {
  const { actions, show, state, answerAll, answered } = atWork()
  show({ prompt: { kind: 'answer', id: ID, question: QUESTION, line: { parts: ['y'], at: 1 } } })
  for (let n = 0; n < 2; n++) actions.start({ do: 'answer', id: ID, number: 1, choice: 'y' })
  answerAll()
  await settled()
  expect(answered).toEqual(['y'])
  expect(state()).toMatchObject({ prompt: null, note: { text: 'The dialog closed.', tone: 'good' } })
})

test('while a prompt or an answer is on its way that is said at once, and a second Enter is nothing', async () => {
  const { actions, state, show, sent, answerAll } = atWork()
  show({ prompt: { kind: 'send', id: ID, line: { parts: ['x'], at: 1 }, key: 'once' } })
  for (const text of ['x', 'xl']) actions.start({ do: 'send', id: ID, text, key: 'once' })
  expect(state().note?.text).toBe(`Giving the prompt to ${ID} …`)
  actions.start({ do: 'answer', id: ID, number: 1, choice: 'y' })
  expect(state().note?.text).toBe(`Giving the answer to ${ID} …`)
  answerAll()
  await settled()
  expect(sent).toEqual(['x'])
  expect(state().prompt).toBeNull()
})

test.each([
  [120, ` Send to ${ID}, Enter gives it to the agent: `],
  [80, ` Send to ${ID}: `],
  [40, ' Send: '],
])('at %i columns the line of a prompt begins with %s', (width, head) => {
  const prompt = { kind: 'send', id: ID, line: { parts: [], at: 0 }, key: 'once' } as const
  expect(footer(prompt, null, '', width).lines[0]?.[0]?.text).toBe(head)
})
