// Owns the order of sessions as a tree: each below the session that started it. Pure.
import type { TaskRowJson } from '../../../protocol/json/task-json.ts'

/** `branch`: the lines of the tree that are drawn before the id. */
export type InTree = { readonly row: TaskRowJson; readonly branch: string }

/** A session whose parent is not among the rows is a root. */
export function asTree(rows: readonly TaskRowJson[]): InTree[] {
  const shown = new Set(rows.map(({ session_id }) => session_id))
  const children = new Map<string, TaskRowJson[]>()
  const roots: TaskRowJson[] = []
  for (const row of rows) {
    const { parent_session: parent } = row
    if (parent === null || !shown.has(parent)) roots.push(row)
    else children.set(parent, [...(children.get(parent) ?? []), row])
  }
  return roots.flatMap((row) => withChildren(row, '', '', children))
}

function withChildren(
  row: TaskRowJson,
  branch: string,
  indent: string,
  children: ReadonlyMap<string, readonly TaskRowJson[]>,
): InTree[] {
  const below = children.get(row.session_id) ?? []
  return [
    { row, branch },
    ...below.flatMap((child, at) => {
      const isLast = at === below.length - 1
      return withChildren(
        child,
        `${indent}${isLast ? '└ ' : '├ '}`,
        `${indent}${isLast ? '  ' : '│ '}`,
        children,
      )
    }),
  ]
}
