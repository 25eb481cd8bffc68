// Owns the names of tasks that are held back.
import { Link } from 'wouter'
import { useActiveTasks } from '../../data/tasks/tasks.ts'

/** By its title, as far as the list of tasks has it. */
export function TaskLink({ id }: { readonly id: string }) {
  const title = useTitleOf(id)
  return (
    <Link href={`/tasks/${id}`} title={id} className="min-w-0 text-accent hover:underline">
      {title ?? <code>{id}</code>}
    </Link>
  )
}

export const useTitleOf = (id: string) =>
  useActiveTasks().value?.tasks.find((task) => task.session_id === id)?.title
