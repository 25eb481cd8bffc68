// Owns the route table: which address shows which screen. A screen that few open is loaded when it is opened.
import { type ComponentType, lazy } from 'react'
import { MoreScreen } from './screens/more/screen.tsx'
import { NowScreen } from './screens/now/screen.tsx'

export type RouteEntry = { readonly path: string; readonly screen: ComponentType }

export const routes: readonly RouteEntry[] = [
  { path: '/', screen: NowScreen },
  {
    path: '/tasks',
    screen: lazy(async () => ({ default: (await import('./screens/tasks/screen.tsx')).AllTasksScreen })),
  },
  {
    path: '/tasks/:id/:tab?',
    screen: lazy(async () => ({ default: (await import('./screens/task/screen.tsx')).TaskScreen })),
  },
  {
    path: '/new',
    screen: lazy(async () => ({ default: (await import('./screens/new-task/screen.tsx')).NewTaskScreen })),
  },
  {
    path: '/runtimes/:id?',
    screen: lazy(async () => ({ default: (await import('./screens/runtimes/screen.tsx')).RuntimesScreen })),
  },
  {
    path: '/threads/:id?',
    screen: lazy(async () => ({ default: (await import('./screens/threads/screen.tsx')).ThreadsScreen })),
  },
  {
    path: '/limits',
    screen: lazy(async () => ({ default: (await import('./screens/limits/screen.tsx')).LimitsScreen })),
  },
  {
    path: '/audit',
    screen: lazy(async () => ({ default: (await import('./screens/audit/screen.tsx')).AuditScreen })),
  },
  {
    path: '/health',
    screen: lazy(async () => ({ default: (await import('./screens/health/screen.tsx')).HealthScreen })),
  },
  { path: '/more', screen: MoreScreen },
]
