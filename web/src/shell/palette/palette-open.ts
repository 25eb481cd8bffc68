import { createSignal } from '../../data/signal.ts'

export const paletteOpen = createSignal(false)
export const showPalette = (open: boolean) => paletteOpen.set(open)
