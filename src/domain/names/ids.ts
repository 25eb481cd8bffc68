// Owns the types of ids, so that the id of a run never lands where that of a task belongs.
declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** `20251118-153042-grafana-validator`; also the session's id and the handoff directory's name. */
export type TaskId = Branded<'TaskId'>
export type RunId = Branded<'RunId'>
/** `trg_20260217_0001` */
export type TriggerId = Branded<'TriggerId'>
export type OrderId = Branded<'OrderId'>
export type ThreadId = Branded<'ThreadId'>
export type WorkspaceId = Branded<'WorkspaceId'>
export type NodeId = Branded<'NodeId'>
export type PaneId = Branded<'PaneId'>
export type RuntimeId = Branded<'RuntimeId'>

/** For adapters alone, which read ids as plain strings from a row or a route. Nothing is checked. */
export const asTaskId = (value: string) => value as TaskId
export const asRunId = (value: string) => value as RunId
export const asTriggerId = (value: string) => value as TriggerId
export const asOrderId = (value: string) => value as OrderId
export const asThreadId = (value: string) => value as ThreadId
export const asWorkspaceId = (value: string) => value as WorkspaceId
export const asNodeId = (value: string) => value as NodeId
export const asPaneId = (value: string) => value as PaneId
export const asRuntimeId = (value: string) => value as RuntimeId
