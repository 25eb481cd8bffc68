// Owns the choice of the theme; public/theme.js draws it.
import { createSignal } from '../data/signal.ts'

export type Theme = 'system' | 'light' | 'dark'
const KEY = 'holdfast.theme'

const stored = (): Theme => {
  try {
    const theme = localStorage.getItem(KEY)
    return theme === 'light' || theme === 'dark' ? theme : 'system'
  } catch {
    return 'system'
  }
}

export const theme = createSignal<Theme>(stored())

export function chooseTheme(next: Theme): void {
  try {
    if (next === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // A browser that stores nothing forgets the choice with the tab.
  }
  theme.set(next)
  dispatchEvent(new CustomEvent('holdfast:theme', { detail: next }))
}
