import { Empty } from './empty.tsx'

/** Where a directory is to be chosen, and there is none. */
export const NoWorkspace = () => (
  <Empty command="holdfast workspace add .">
    Agents may work nowhere yet. Allow a directory in a terminal first: a page cannot.
  </Empty>
)
