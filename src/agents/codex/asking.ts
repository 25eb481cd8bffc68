// Owns the questions of Codex as an app server, and their answers. The question's ref holds all that an answer needs.
import type { AgentSays, Answer } from '../../ports/run/agent-driver.ts'
import { asDetail, asFields, type Fields, isText, MOST_DETAIL, short } from '../shared/json-line.ts'
import { listIn } from './items.ts'

/** The id of the request that we send together with an answer: only its refusal is worth a note. */
export const STEER_REQUEST = 'steer'
const MOST_OPTION = 400

/** `results`: what is sent for each option. `takes`: how a free text is used. */
export type CodexQuestion = {
  readonly id: string | number
  readonly results: readonly unknown[]
  /** `instead`: the text is a refusal that tells this turn what to do. A form: the text fills its fields. */
  readonly takes?: { readonly instead: { readonly threadId: unknown; readonly turnId: unknown } } | Form
}
type Form = { readonly form: 'input' | 'mcp'; readonly fields: readonly string[] }

type Asked = Omit<CodexQuestion, 'id'> & { readonly question: string; readonly options: readonly string[] }

/** Every request becomes a question: a request of an unknown kind can be refused. */
export function readCodexRequest({ id, method, params }: Fields): AgentSays[] | undefined {
  if (!isText(id) && typeof id !== 'number') return undefined
  const asked = requests.get(method)?.(asFields(params)) ?? unknownRequest(method, params)
  const { question, options, ...rest } = asked
  const ref: CodexQuestion = { id, ...rest }
  const text = short(question, MOST_DETAIL)
  return [
    {
      kind: 'asked',
      question: text,
      options: options.map((option) => short(option, MOST_OPTION)),
      ref: JSON.stringify(ref),
    },
  ]
}

const requests = new Map<unknown, (params: Fields) => Asked>([
  ['item/commandExecution/requestApproval', aboutCommand],
  ['item/fileChange/requestApproval', aboutEdit],
  ['item/permissions/requestApproval', aboutPermissions],
  ['item/tool/requestUserInput', aboutAnything],
  ['mcpServer/elicitation/request', aboutServer],
])

/** The options of Codex's own interface, without those that would change the user's settings. */
function aboutCommand({ command, cwd, reason, networkApprovalContext, ...params }: Fields): Asked {
  const { host } = asFields(networkApprovalContext)
  const question = isText(host)
    ? [`Do you want to approve network access to "${host}"?`]
    : ['Would you like to run the following command?', `$ ${asDetail(command)}`]
  return {
    question: [...question, ...named('Directory', cwd), ...named('Reason', reason)].join('\n'),
    options: [
      'Yes, proceed',
      "Yes, and don't ask again for this command in this session",
      'No, continue without running it',
    ],
    ...approval(params),
  }
}

/** Does not name the files: the event before it, the start of the edit, does. */
function aboutEdit({ reason, grantRoot, ...params }: Fields): Asked {
  const more = [...named('Writes below', grantRoot), ...named('Reason', reason)]
  return {
    question: ['Would you like to make the edits it has just begun?', ...more].join('\n'),
    options: [
      'Yes, proceed',
      "Yes, and don't ask again for these files in this session",
      'No, continue without making them',
    ],
    ...approval(params),
  }
}

const named = (name: string, value: unknown) => (isText(value) ? [`${name}: ${value}`] : [])

const approval = ({ threadId, turnId }: Fields): Omit<CodexQuestion, 'id'> => ({
  results: ['accept', 'acceptForSession', 'decline'].map((decision) => ({ decision })),
  takes: { instead: { threadId, turnId } },
})

function aboutPermissions({ permissions, reason }: Fields): Asked {
  return {
    question: [
      'Would you like to grant these permissions?',
      asDetail(permissions),
      ...named('Reason', reason),
    ].join('\n'),
    options: ['Yes, for this turn', 'Yes, for this session', 'No, continue without them'],
    results: [
      { permissions, scope: 'turn' },
      { permissions, scope: 'session' },
      { permissions: {}, scope: 'turn' },
    ],
  }
}

/** One question has its options. Several are shown together, and one text answers them all. */
function aboutAnything({ questions }: Fields): Asked {
  const all = listIn(questions).filter(({ id }) => isText(id))
  const fields = all.map(({ id }) => String(id))
  const labels = all.map(({ options }) => listIn(options).map(({ label }) => asDetail(label)))
  const options = all.length === 1 ? (labels[0] ?? []) : []
  const texts = all.map(({ question }, at) =>
    all.length === 1 ? asDetail(question) : `${asDetail(question)} (${labels[at]?.join(', ')})`,
  )
  return {
    question: texts.join('\n'),
    options,
    results: options.map((option) => filled({ form: 'input', fields }, option)),
    takes: { form: 'input', fields },
  }
}

/** Asks whether a tool of an MCP server may run, or something that the server itself wants to know. */
function aboutServer({ message, serverName, requestedSchema, url, _meta }: Fields): Asked {
  const question = [asDetail(message), ...named('Server', serverName), ...named('Open', url)].join('\n')
  const fields = Object.keys(asFields(asFields(requestedSchema).properties))
  const no = { action: 'decline', content: null, _meta: null }
  if (fields.length > 0)
    return { question, options: ['Decline'], results: [no], ...textFor(fields, requestedSchema) }
  const { persist } = asFields(_meta)
  const session = persist === 'session' || (Array.isArray(persist) && persist.includes('session'))
  const yes = { action: 'accept', content: {}, _meta: null }
  return {
    question,
    options: ['Allow', ...(session ? ['Allow for this session'] : []), 'Decline'],
    results: [yes, ...(session ? [{ ...yes, _meta: { persist: 'session' } }] : []), no],
  }
}

/** Takes a text for a form with one field. Larger forms can only be filled in Codex's own interface. */
function textFor(fields: readonly string[], schema: unknown): Pick<CodexQuestion, 'takes'> {
  const [field = '', ...others] = fields
  const { type } = asFields(asFields(asFields(schema).properties)[field])
  return type === 'string' && others.length === 0 ? { takes: { form: 'mcp', fields } } : {}
}

function filled({ form, fields }: Form, text: string): Fields {
  if (form === 'mcp')
    return { action: 'accept', content: Object.fromEntries(fields.map((name) => [name, text])), _meta: null }
  return { answers: Object.fromEntries(fields.map((name) => [name, { answers: [text] }])) }
}

const REFUSAL = { code: -32601, message: 'Refused by the user.' }

const unknownRequest = (method: unknown, params: unknown): Asked => ({
  question: `Codex asks for something that Holdfast does not know: ${asDetail(method)}\n${asDetail(params)}`,
  options: ['Refuse'],
  results: [null],
})

/** The messages that answer the question; none when the answer does not fit it. */
export function codexAnswer({ id, results, takes }: CodexQuestion, { option, text }: Answer): Fields[] {
  if (option !== null) {
    const result = results[option]
    if (result === undefined) return []
    return [result === null ? { id, error: REFUSAL } : { id, result }]
  }
  if (takes === undefined || text.trim() === '') return []
  if ('form' in takes) return [{ id, result: filled(takes, text) }]
  // The text goes first: after the refusal, the turn could be over before the text is heard.
  return [steer(takes.instead, text), { id, result: { decision: 'decline' } }]
}

const steer = (
  { threadId, turnId }: { readonly threadId: unknown; readonly turnId: unknown },
  text: string,
) => ({
  id: STEER_REQUEST,
  method: 'turn/steer',
  params: { threadId, expectedTurnId: turnId, input: [{ type: 'text', text }] },
})
