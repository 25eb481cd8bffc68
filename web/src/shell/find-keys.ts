/** How the keys that open the palette are called on this keyboard. */
export const FIND_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'
