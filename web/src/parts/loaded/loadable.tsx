// Owns parts of the page that are loaded when they are first shown. React's own `lazy` remembers a failure for ever: here
// it is remembered only until somebody tries again.
import { type ComponentType, use } from 'react'

/** The daemon, which has the part, did not give it. */
export class NotLoaded extends Error {}

const failed = new Set<() => void>()

export function loadable<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined
  const forget = () => {
    loading = undefined
  }
  const begin = () =>
    load().catch((cause) => {
      failed.add(forget)
      throw new NotLoaded('This part could not be loaded.', { cause })
    })
  return (props) => {
    loading ??= begin()
    const Part = use(loading)
    return <Part {...props} />
  }
}

/** What could not be loaded is asked for again when it is shown next. */
export function forgetFailures(): void {
  for (const forget of failed) forget()
  failed.clear()
}
