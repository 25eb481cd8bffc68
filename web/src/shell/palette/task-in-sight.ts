// Owns which task the palette is about: that of the row or card with the focus, else that of the screen.

import type { Sight } from './offered-here.ts'

export type TaskInSight = Sight & { readonly id: string }

/** Asked before the palette takes the focus. */
export function taskInSight(): TaskInSight | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-task]') ?? null
  const [, shown] = /^\/tasks\/([^/]+)/.exec(location.pathname) ?? []
  const id = row?.dataset.task ?? (shown === undefined ? undefined : decodeURIComponent(shown))
  if (id === undefined) return undefined
  const asked = (row ?? document).querySelectorAll<HTMLElement>('[data-question]')
  const seen = new Set([...asked].map(({ dataset }) => Number(dataset.question)))
  return { id, seen, isItsScreen: row === null }
}
