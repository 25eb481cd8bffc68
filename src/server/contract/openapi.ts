// Owns the OpenAPI document: made from the operations and their shapes, so that it cannot say anything else.
import * as z from 'zod/mini'
import type { Route } from '../../protocol/api.ts'
import { HEADER_KEY } from '../../protocol/headers.ts'
import { isKeyed } from '../../protocol/repeats.ts'
import type { Parameter, TextKind } from './operation.ts'
import { agentOperations } from './operations/agents.ts'
import { daemonOperations } from './operations/daemon.ts'
import { taskOperations } from './operations/tasks.ts'
import { answers } from './shapes/named.ts'
import './shapes/orders.ts'

type Json = Record<string, unknown>
type Row = {
  readonly id: string
  readonly summary: string
  readonly more?: string
  readonly status?: number
  readonly query?: Readonly<Record<string, Parameter>>
  readonly body?: z.ZodMiniType
  readonly answer?: z.ZodMiniType
  readonly lines?: z.ZodMiniType
  readonly text?: TextKind
}

export const operations = { ...taskOperations, ...agentOperations, ...daemonOperations } as Readonly<
  Record<Route, Row>
>

const TAGS: Readonly<Record<string, string>> = {
  tasks: 'Sessions: start, see, end, and speak with their agents.',
  triggers: 'Prompts on their way to an agent.',
  threads: 'Conversations of agents and people.',
  runtimes: 'Standing agents.',
  events: 'What happens, as it happens.',
  people: 'What waits for a person, and who did what.',
  runs: 'What a run asks in its own name.',
  daemon: 'The daemon, its settings, and who may reach it.',
}

const made = new Map<string, Json>()

/** `strict`: without room for fields that later versions add; for tests. */
export function openApi(version: string, { strict = false } = {}): Json {
  const known = made.get(`${version} ${strict}`)
  if (known !== undefined) return known
  const rows = Object.entries(operations) as [Route, Row][]
  const schemas = schemasOf(rows, strict)
  const document: Json = {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version,
      description:
        'On the unix socket `daemon.sock` in the home, and on a TCP port once it is open. Over TCP a cookie (the page) or a token is needed.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4949', description: 'Where the daemon of this machine listens' }],
    security: [{ token: [] }, { cookie: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(rows),
    components: { schemas, securitySchemes: SECURITY, responses: RESPONSES },
  }
  made.set(`${version} ${strict}`, document)
  return document
}

const SECURITY = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'Made for a program by a person at the command line.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'holdfast',
    description: 'Of the page; its name ends in the id of the daemon.',
  },
}
const RESPONSES = {
  Refused: {
    description: 'What is wrong, and what to try.',
    content: { 'application/json': { schema: ref('ErrorJson') } },
  },
}

function pathsOf(rows: readonly [Route, Row][]): Json {
  const paths: Record<string, Json> = {}
  for (const [route, row] of rows) {
    const [method = '', path = ''] = route.split(' ')
    const place = path.replace(':id', '{id}')
    paths[place] = { ...paths[place], [method.toLowerCase()]: operationOf(route, row) }
  }
  return paths
}

function operationOf(route: Route, row: Row): Json {
  const [, path = ''] = route.split(' ')
  const { id, summary, more, status = 200, body } = row
  return {
    operationId: id,
    summary,
    ...(more === undefined ? {} : { description: more }),
    tags: [tagOf(path)],
    parameters: parametersOf(route, row),
    ...(body === undefined
      ? {}
      : {
          requestBody: { required: true, content: { 'application/json': { schema: ref(`${id}Request`) } } },
        }),
    responses: {
      [status]: { description: summary, content: contentOf(row) },
      '4XX': { $ref: '#/components/responses/Refused' },
      '5XX': { $ref: '#/components/responses/Refused' },
    },
  }
}

function contentOf({ id, answer, lines, text }: Row): Json {
  if (text !== undefined) return { [text]: { schema: { type: 'string' } } }
  const json = { 'application/json': { schema: ref(answerName(id, (answer ?? lines) as z.ZodMiniType)) } }
  return lines === undefined ? json : { ...json, 'application/x-ndjson': { schema: { type: 'string' } } }
}

function parametersOf(route: Route, { query = {} }: Row): Json[] {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: 'Which one.' }
  const key = {
    name: HEADER_KEY,
    in: 'header',
    schema: { type: 'string', pattern: '^[\\w-]{1,100}$' },
    description:
      'The same key with the same request is the same request: it is done once. With another one it is refused (KEY_REUSED).',
  }
  const asked = Object.entries(query).map(([name, { about, words }]) => ({
    name,
    in: 'query',
    description: about,
    schema: { type: 'string', ...(words === undefined ? {} : { enum: words }) },
  }))
  return [...(route.includes(':id') ? [id] : []), ...asked, ...(isKeyed(route) ? [key] : [])]
}

/** The JSON of an answer under its own name, or under that of its operation. */
const answerName = (id: string, schema: z.ZodMiniType) => answers.get(schema)?.id ?? `${id}Answer`

function schemasOf(rows: readonly [Route, Row][], strict: boolean): Json {
  const requests = z.registry<{ id: string }>()
  for (const [, { id, body, answer, lines }] of rows) {
    const shown = answer ?? lines
    if (shown !== undefined && !answers.has(shown)) answers.add(shown, { id: `${id}Answer` })
    if (body !== undefined) requests.add(z.clone(body), { id: `${id}Request` })
  }
  const uri = (id: string) => `#/components/schemas/${id}`
  const told = z.toJSONSchema(answers, { uri, io: 'output' }).schemas
  const asked = z.toJSONSchema(requests, { uri, io: 'input' }).schemas
  return {
    ...mapValues(told, (schema) => plain(schema, !strict)),
    ...mapValues(asked, (schema) => plain(schema, false)),
  }
}

/** Without the words of JSON Schema that have no meaning here. `isOpen`: fields may be added later. */
function plain(schema: unknown, isOpen: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => plain(one, isOpen))
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !['$schema', '$id'].includes(key) &&
      !(isOpen && key === 'additionalProperties' && value === false) &&
      Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER,
  )
  return Object.fromEntries(kept.map(([key, value]) => [key, plain(value, isOpen)]))
}

const mapValues = (all: object, map: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(all).map(([key, value]) => [key, map(value)]))

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

function tagOf(path: string): string {
  const [, , first = ''] = path.split('/')
  if (['questions', 'parks', 'audit', 'monitor'].includes(first)) return 'people'
  if (first === 'self') return 'runs'
  return first in TAGS ? first : 'daemon'
}
