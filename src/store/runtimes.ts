// Owns the registry of runtimes: its rows, and how each came to stand where it stands.
import type { Selectable } from 'kysely'
import { HoldfastError } from '../domain/errors.ts'
import type { NodeId, RuntimeId } from '../domain/names/ids.ts'
import type { RuntimeBefore, RuntimeEvent, RuntimeState } from '../domain/runtime/machine.ts'
import { targetOf } from '../domain/runtime/names.ts'
import { nextRuntimeState } from '../domain/runtime/next-runtime-state.ts'
import type { Runtime, RuntimeTransition } from '../domain/runtime/runtime.ts'
import type { RuntimeChange, RuntimeDraft, RuntimeMove, RuntimeReads } from '../ports/store/runtimes.ts'
import { type Holding, read, type Writing } from './database/holding.ts'
import type { RuntimeTransitionTable } from './database/schema.ts'
import { whenGiven } from './database/when-given.ts'
import { appendEvent } from './journal/append-events.ts'

const ROW = [
  'id',
  'taskId',
  'nodeId',
  'agentId',
  'workspaceId',
  'role',
  'tmuxSession',
  'tmuxWindow',
  'tmuxPane',
  'state',
  'stateSince',
  'reason',
  'wanted',
  'pid',
  'operatorBusy',
  'lastHeartbeatAt',
  'lastHeartbeatStatus',
  'lastTriggerId',
  'restarts',
  'drifts',
  'createdAt',
  'createdBy',
] as const satisfies readonly (keyof Runtime)[]

export const runtimes = (holding: Holding): RuntimeReads => {
  const one = (column: 'id' | 'agentId' | 'taskId', value: string) =>
    read(holding, (db) =>
      db
        .selectFrom('runtimes')
        .select(ROW)
        .where(column, '=', value as never)
        .executeTakeFirst(),
    )
  const all = (node?: NodeId) =>
    read(holding, (db) =>
      db
        .selectFrom('runtimes')
        .select(ROW)
        .$call(whenGiven(node, (query, id) => query.where('nodeId', '=', id)))
        .orderBy('agentId')
        .execute(),
    )
  return {
    runtimes: () => all(holding.nodeId),
    allRuntimes: () => all(),
    runtime: (id) => one('id', id),
    runtimeNamed: (agentId) => one('agentId', agentId),
    runtimeOfTask: (taskId) => one('taskId', taskId),
    runtimeTransitions: (id, most) =>
      read(holding, async (db) => {
        const rows = await db
          .selectFrom('runtimeTransitions')
          .selectAll()
          .where('runtimeId', '=', id)
          .orderBy('number', 'desc')
          .limit(most)
          .execute()
        return rows.reverse().map(transitionOf)
      }),
  }
}

export async function applyRuntimeParts(writing: Writing, change: RuntimeChange): Promise<void> {
  if (change.registerRuntime) await register(writing, change.registerRuntime)
  if (change.moveRuntime) await move(writing, change.moveRuntime)
  if (change.noteRuntime) await note(writing, change.noteRuntime)
  if (change.dropRuntime) await drop(writing, change.dropRuntime)
}

async function register(writing: Writing, draft: RuntimeDraft): Promise<void> {
  const { tx, nodeId } = writing
  const state = nextRuntimeState('unregistered', 'register_runtime')
  const reason = `registered by ${draft.createdBy}`
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('runtimes')
    .values({
      ...draft,
      nodeId,
      tmuxPane: 0,
      state,
      stateSince: draft.createdAt,
      reason,
      wanted: 'up',
      operatorBusy: 0,
      restarts: 0,
      drifts: 0,
      moves: 1,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n)
    throw new HoldfastError(
      'RUNTIME_EXISTS',
      `There is already a runtime ${draft.agentId}, or another one has its place ${draft.tmuxSession}:${draft.tmuxWindow} in tmux.`,
    )
  const step = { runtimeId: draft.id, number: 1, event: 'register_runtime', from: 'unregistered' } as const
  await writeTransition(writing, { ...step, to: state, reason, evidence: [], at: draft.createdAt })
  appendEvent(writing, {
    at: draft.createdAt,
    kind: 'runtime_registered',
    taskId: draft.taskId,
    data: { runtime_id: draft.id, agent_id: draft.agentId, target: targetOf({ ...draft, tmuxPane: 0 }) },
  })
}

/** Only the node that owns a runtime moves it. */
async function move(writing: Writing, step: RuntimeMove): Promise<void> {
  const { tx, nodeId } = writing
  const { id, from, event, reason, evidence, at, set } = step
  const to = nextRuntimeState(from, event)
  const moved = await tx
    .updateTable('runtimes')
    .set((eb) => ({ ...set, state: to, stateSince: at, reason, moves: eb('moves', '+', 1) }))
    .where('id', '=', id)
    .where('nodeId', '=', nodeId)
    .where('state', '=', from)
    .returning(['moves', 'taskId', 'agentId'])
    .executeTakeFirst()
  if (moved === undefined)
    throw new HoldfastError(
      'TRANSITION_CONFLICT',
      `Runtime ${id} is not ${from} any more: '${event}' came too late.`,
    )
  await writeTransition(writing, {
    runtimeId: id,
    number: moved.moves,
    event,
    from,
    to,
    reason,
    evidence,
    at,
  })
  appendEvent(writing, {
    at,
    kind: 'runtime_moved',
    taskId: moved.taskId,
    data: { runtime_id: id, agent_id: moved.agentId, from, to, event, reason },
  })
}

async function note(
  { tx, nodeId }: Writing,
  { id, set }: NonNullable<RuntimeChange['noteRuntime']>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('runtimes')
    .set(set)
    .where('id', '=', id)
    .where('nodeId', '=', nodeId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw notFound(id)
}

async function drop(writing: Writing, { id, at }: NonNullable<RuntimeChange['dropRuntime']>): Promise<void> {
  const { tx, nodeId } = writing
  const dropped = await tx
    .deleteFrom('runtimes')
    .where('id', '=', id)
    .where('nodeId', '=', nodeId)
    .returning(['taskId', 'agentId'])
    .executeTakeFirst()
  if (dropped === undefined) throw notFound(id)
  await tx.deleteFrom('runtimeTransitions').where('runtimeId', '=', id).execute()
  const data = { runtime_id: id, agent_id: dropped.agentId }
  appendEvent(writing, { at, kind: 'runtime_removed', taskId: dropped.taskId, data })
}

async function writeTransition({ tx }: Writing, transition: RuntimeTransition): Promise<void> {
  const { from, to, evidence, ...row } = transition
  await tx
    .insertInto('runtimeTransitions')
    .values({ ...row, fromState: from, toState: to, evidence: JSON.stringify(evidence) })
    .execute()
}

const transitionOf = ({
  fromState,
  toState,
  evidence,
  ...row
}: Selectable<RuntimeTransitionTable>): RuntimeTransition => ({
  ...row,
  event: row.event as RuntimeEvent,
  from: fromState as RuntimeBefore,
  to: toState as RuntimeState,
  evidence: JSON.parse(evidence),
})

const notFound = (id: RuntimeId) =>
  new HoldfastError('RUNTIME_NOT_FOUND', `Runtime ${id} is not one of this daemon.`)
