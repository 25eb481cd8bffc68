// Owns the places of the side bar and of the phone's bar. The route table has their screens.
import {
  Activity,
  Bot,
  Gauge,
  Inbox,
  ListTree,
  type LucideIcon,
  MessagesSquare,
  MoreHorizontal,
  ScrollText,
} from 'lucide-react'

/** `letter`: `g` and this letter lead there. */
export type Place = {
  readonly path: string
  readonly name: string
  readonly letter: string
  readonly icon: LucideIcon
}

export const MAIN_PLACES: readonly Place[] = [
  { path: '/', name: 'Now', letter: 'n', icon: Inbox },
  { path: '/tasks', name: 'All tasks', letter: 'a', icon: ListTree },
  { path: '/runtimes', name: 'Runtimes', letter: 'r', icon: Bot },
  { path: '/threads', name: 'Threads', letter: 't', icon: MessagesSquare },
  { path: '/limits', name: 'Limits', letter: 'l', icon: Gauge },
]
export const SIDE_PLACES: readonly Place[] = [
  { path: '/audit', name: 'Audit', letter: 'u', icon: ScrollText },
  { path: '/health', name: 'Health', letter: 'h', icon: Activity },
]
/** On a phone: five places; the last one leads to the others. */
export const PHONE_PLACES: readonly Place[] = [
  ...MAIN_PLACES.filter(({ path }) => ['/', '/tasks', '/runtimes', '/limits'].includes(path)),
  { path: '/more', name: 'More', letter: 'm', icon: MoreHorizontal },
]

export const isAt = (location: string, path: string) =>
  path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)
