// Owns how a part of the list is found: an index is walked from a place on, newest first, for a limited number of entries.

import { ENDED, isEnded, TASK_STATUSES, type TaskStatus } from '../../domain/task/machine.ts'
import type { WantedState } from '../../domain/task/status-view.ts'
import type { ListFilter, ListPlace } from '../../ports/store/task-lists.ts'
import { joined, nothing, plain, type Sql, verbatim } from '../database/plain-sql.ts'

/** Entries that one query reads at most, where a filter may leave most of them out. */
export const ENTRIES_PER_QUERY = 1000

export type Place = Pick<ListPlace, 'createdAt' | 'id'>
/** One of the two parts of the list, from a place in it on. */
export type Part = { readonly ended: boolean; readonly after: Place | null }
/** `keys`: SQL for id and created_at of the newest `most` candidates. `isExact`: every candidate passes the filter. */
export type Walk = { readonly keys: (most: number) => Sql; readonly isExact: boolean }

const NEWEST_FIRST = verbatim('order by created_at desc, id desc')

export const statusesOf = (
  { statuses = TASK_STATUSES, states }: ListFilter,
  ended: boolean,
): readonly TaskStatus[] =>
  TASK_STATUSES.filter(
    (status) =>
      isEnded(status) === ended &&
      statuses.includes(status) &&
      (states === undefined || states.some((state) => state.status === status)),
  )

/** Null when no task can pass the filter. */
export function walkOf(filter: ListFilter, { ended, after }: Part): Walk | null {
  const { parent, tag, project, archived = false } = filter
  const statuses = statusesOf(filter, ended)
  const only = shownOnly(filter)
  if (statuses.length === 0 || (archived && !ended)) return null
  if (parent !== undefined)
    return { keys: (most) => newest(plain`parent_id = ${parent}`, after, most), isExact: false }
  if (ended && tag !== undefined) return { keys: (most) => tagged(tag, after, most), isExact: false }
  if (archived)
    return {
      keys: (most) => newest(plain`archived_at is not null${only}`, after, most),
      isExact: statuses.length === ENDED.length && project === undefined,
    }
  return {
    keys: (most) => inStatuses(statuses, { project, only }, after, most),
    isExact: tag === undefined && isCoarse(filter),
  }
}

/** The filter wants whole statuses, not only one phase of a status. */
const isCoarse = ({ states = [] }: ListFilter) =>
  states.every(({ phase, hasStarted }) => phase === undefined && hasStarted === undefined)

/** By id, so that the walk needs nothing but its index: there are few runtimes. */
const shownOnly = ({ runtimes = false }: ListFilter): Sql =>
  runtimes ? nothing : plain` and id not in (select id from tasks where runtime > '')`

/** Each status is a walk of its own. A part of a union must not have an order, so each walk is inside a query of its own. */
function inStatuses(
  statuses: readonly TaskStatus[],
  { project, only }: { readonly project: string | undefined; readonly only: Sql },
  after: Place | null,
  most: number,
): Sql {
  const inProject = project === undefined ? nothing : plain` and project = ${project}`
  const walks = statuses.map((status, n) => {
    const walk = newest(plain`archived_at is null and status = ${status}${inProject}${only}`, after, most)
    return plain`select id, created_at from (${walk}) as ${verbatim(`walk${n}`)}`
  })
  const [first, ...others] = walks
  if (first !== undefined && others.length === 0) return first
  return plain`select id, created_at from (${joined(walks, ' union all ')}) as walks ${NEWEST_FIRST} limit ${most}`
}

const newest = (only: Sql, after: Place | null, most: number): Sql =>
  plain`select id, created_at from tasks where ${only}${olderThan('id', after)} ${NEWEST_FIRST} limit ${most}`

const tagged = (tag: string, after: Place | null, most: number): Sql =>
  plain`select task_id as id, created_at from task_tags where tag = ${tag}${olderThan('task_id', after)}
    order by created_at desc, task_id desc limit ${most}`

const olderThan = (id: 'id' | 'task_id', after: Place | null): Sql =>
  after === null ? nothing : plain` and (created_at, ${verbatim(id)}) < (${after.createdAt}, ${after.id})`

/** SQL for the walked tasks that pass the filter, in the order of the list. */
export function matchingTasks(
  walk: Walk,
  filter: ListFilter,
  ended: boolean,
  columns: Sql,
  most: number,
): Sql {
  const keys = walk.keys(walk.isExact ? most : ENTRIES_PER_QUERY)
  const only = walk.isExact ? nothing : plain` and ${joined(conditionsOf(filter, ended), ' and ')}`
  return plain`select ${columns} from tasks where id in (select id from (${keys}) as walked)${only}
    ${NEWEST_FIRST} limit ${most}`
}

function conditionsOf(filter: ListFilter, ended: boolean): Sql[] {
  const { parent, tag, project, states, archived = false, runtimes = false } = filter
  const statuses = statusesOf(filter, ended).map((status) => plain`${status}`)
  return [
    plain`status in (${joined(statuses, ', ')})`,
    archived ? plain`archived_at is not null` : plain`archived_at is null`,
    ...(runtimes ? [] : [plain`runtime is null`]),
    ...(states === undefined ? [] : [plain`(${joined(states.map(inState), ' or ')})`]),
    ...(parent === undefined ? [] : [plain`parent_id = ${parent}`]),
    ...(project === undefined ? [] : [plain`project = ${project}`]),
    ...(tag === undefined
      ? []
      : [plain`exists (select 1 from task_tags where tag = ${tag} and task_id = tasks.id)`]),
  ]
}

const inState = ({ status, phase, hasStarted }: WantedState): Sql =>
  joined(
    [
      plain`status = ${status}`,
      ...(phase === undefined ? [] : [plain`phase = ${phase}`]),
      ...(hasStarted === undefined
        ? []
        : [hasStarted ? plain`started_at is not null` : plain`started_at is null`]),
    ],
    ' and ',
  )
