/** The keys that a person can press from afar, named as in tmux. Text goes as a prompt or an answer, where its way is recorded. */
export const BAR_KEYS = ['Escape', 'Tab', 'BTab', 'Up', 'Down', 'Left', 'Right', 'C-c', 'Enter'] as const
export type BarKey = (typeof BAR_KEYS)[number]
