// Owns the route table: which address shows which screen. A screen that few open is loaded when it is opened.
import type { ComponentType } from 'react'
import { loadable } from './parts/loaded/loadable.tsx'
import { MoreScreen } from './screens/more/screen.tsx'
import { NowScreen } from './screens/now/screen.tsx'

export type RouteEntry = { readonly path: string; readonly screen: ComponentType }

export const routes: readonly RouteEntry[] = [
  { path: '/', screen: NowScreen },
  {
    path: '/tasks',
    screen: loadable(async () => (await import('./screens/tasks/screen.tsx')).AllTasksScreen),
  },
  {
    path: '/tasks/:id/:tab?',
    screen: loadable(async () => (await import('./screens/task/screen.tsx')).TaskScreen),
  },
  {
    path: '/new',
    screen: loadable(async () => (await import('./screens/new-task/screen.tsx')).NewTaskScreen),
  },
  {
    path: '/runtimes',
    screen: loadable(async () => (await import('./screens/runtimes/screen.tsx')).RuntimesScreen),
  },
  {
    path: '/threads/:id?',
    screen: loadable(async () => (await import('./screens/threads/screen.tsx')).ThreadsScreen),
  },
  {
    path: '/limits',
    screen: loadable(async () => (await import('./screens/limits/screen.tsx')).LimitsScreen),
  },
  {
    path: '/audit',
    screen: loadable(async () => (await import('./screens/audit/screen.tsx')).AuditScreen),
  },
  {
    path: '/health',
    screen: loadable(async () => (await import('./screens/health/screen.tsx')).HealthScreen),
  },
  { path: '/more', screen: MoreScreen },
]
