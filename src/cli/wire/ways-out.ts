import { WAYS_OUT, type WayOut } from '../../domain/errors.ts'

/** The ways out that this version knows; a daemon of another version may send none, or others. */
export const waysOutOf = (told: unknown): WayOut[] =>
  Array.isArray(told) ? told.flatMap((way) => wayOut(Object(way))) : []

function wayOut({ do: said, session_id: id }: { do?: unknown; session_id?: unknown }): WayOut[] {
  const known = WAYS_OUT.find((way) => way === said)
  return known === undefined || typeof id !== 'string' ? [] : [{ do: known, id }]
}
