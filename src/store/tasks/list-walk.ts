// Owns how a part of the list is found: an index is walked from a place on, newest first, for a limited number of entries.

import { ENDED, isEnded, TASK_STATUSES, type TaskStatus } from '../../domain/task/machine.ts'
import type { WantedState } from '../../domain/task/status-view.ts'
import type { ListFilter, ListPart, ListPlace } from '../../ports/store/task-lists.ts'
import { joined, nothing, plain, type Sql, verbatim } from '../database/plain-sql.ts'

/** Entries that one query reads at most, where a filter may leave most of them out. */
export const ENTRIES_PER_QUERY = 1000

export type Place = Pick<ListPlace, 'at' | 'id'>
/** A part of the list, from a place in it on. */
export type From = { readonly part: ListPart; readonly after: Place | null }
/**
 * `keys`: SQL for `id` and `at` of the first `most` candidates, in the order of the part. `isExact`: every candidate
 * passes the filter.
 */
export type Walk = { readonly keys: (most: number) => Sql; readonly isExact: boolean }

type Time = 'created_at' | 'ended_at'
type Id = 'id' | 'task_id'
const timeOf = (part: ListPart): Time => (part === 'by_end' ? 'ended_at' : 'created_at')
const latestFirst = (time: Time | 'at', id: Id = 'id') => verbatim(`order by ${time} desc, ${id} desc`)

export const statusesOf = (
  { statuses = TASK_STATUSES, states }: ListFilter,
  part: ListPart,
): readonly TaskStatus[] =>
  TASK_STATUSES.filter(
    (status) =>
      isEnded(status) === (part !== 'unended') &&
      statuses.includes(status) &&
      (states === undefined || states.some((state) => state.status === status)),
  )

/** Null when no task can pass the filter. */
export function walkOf(filter: ListFilter, { part, after }: From): Walk | null {
  const { parent, tag, project, agent, archived = false } = filter
  const statuses = statusesOf(filter, part)
  const only = shownOnly(filter)
  if (statuses.length === 0 || (archived && part === 'unended')) return null
  if (part === 'by_end') return byEnd(filter, after)
  if (parent !== undefined)
    return { keys: (most) => newest(plain`parent_id = ${parent}`, after, most), isExact: false }
  if (part === 'ended' && tag !== undefined)
    return { keys: (most) => tagged(tag, after, most), isExact: false }
  if (archived)
    return {
      keys: (most) => newest(plain`archived_at is not null${only}`, after, most),
      isExact: statuses.length === ENDED.length && project === undefined && agent === undefined,
    }
  return {
    keys: (most) => inStatuses(statuses, { project, only }, after, most),
    isExact: tag === undefined && agent === undefined && isCoarse(filter),
  }
}

/** The archive has an index of its own, so that neither is walked for the other. */
function byEnd(filter: ListFilter, after: Place | null): Walk {
  const { parent, tag, project, agent, archived = false, endedSince = 0 } = filter
  const where = archived ? plain`archived_at is not null` : plain`archived_at is null`
  const only = plain`${where} and ended_at >= ${endedSince}${shownOnly(filter)}`
  const isWhole = [parent, tag, project, agent].every((wanted) => wanted === undefined)
  return {
    keys: (most) => latest('ended_at', only, after, most),
    isExact: isWhole && statusesOf(filter, 'by_end').length === ENDED.length && isCoarse(filter),
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
    return plain`select id, at from (${walk}) as ${verbatim(`walk${n}`)}`
  })
  const [first, ...others] = walks
  if (first !== undefined && others.length === 0) return first
  return plain`select id, at from (${joined(walks, ' union all ')}) as walks ${latestFirst('at')} limit ${most}`
}

const newest = (only: Sql, after: Place | null, most: number): Sql => latest('created_at', only, after, most)

const latest = (time: Time, only: Sql, after: Place | null, most: number): Sql =>
  plain`select id, ${verbatim(time)} as at from tasks where ${only}${behind(after, time, 'id')}
    ${latestFirst(time)} limit ${most}`

const tagged = (tag: string, after: Place | null, most: number): Sql =>
  plain`select task_id as id, created_at as at from task_tags
    where tag = ${tag}${behind(after, 'created_at', 'task_id')} ${latestFirst('created_at', 'task_id')} limit ${most}`

const behind = (after: Place | null, time: Time, id: Id): Sql =>
  after === null ? nothing : plain` and (${verbatim(`${time}, ${id}`)}) < (${after.at}, ${after.id})`

/**
 * SQL for the walked tasks that pass the filter, in the order of the list. The conditions stand in a `case`, into which no
 * database looks for an index: otherwise it may read all tasks of a status or project, to see which of them were walked.
 */
export function matchingTasks(
  walk: Walk,
  filter: ListFilter,
  part: ListPart,
  columns: Sql,
  most: number,
): Sql {
  const keys = walk.keys(walk.isExact ? most : ENTRIES_PER_QUERY)
  const passes = joined(conditionsOf(filter, part), ' and ')
  const only = walk.isExact ? nothing : plain` and case when ${passes} then 1 else 0 end = 1`
  return plain`select ${columns} from tasks where id in (select id from (${keys}) as walked)${only}
    ${latestFirst(timeOf(part))} limit ${most}`
}

function conditionsOf(filter: ListFilter, part: ListPart): Sql[] {
  const { parent, tag, project, agent, states, archived = false, runtimes = false } = filter
  const statuses = statusesOf(filter, part).map((status) => plain`${status}`)
  return [
    plain`status in (${joined(statuses, ', ')})`,
    archived ? plain`archived_at is not null` : plain`archived_at is null`,
    ...(runtimes ? [] : [plain`runtime is null`]),
    ...(states === undefined ? [] : [plain`(${joined(states.map(inState), ' or ')})`]),
    ...(parent === undefined ? [] : [plain`parent_id = ${parent}`]),
    ...(project === undefined ? [] : [plain`project = ${project}`]),
    ...(agent === undefined ? [] : [plain`(agent = ${agent} or role = ${agent})`]),
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
