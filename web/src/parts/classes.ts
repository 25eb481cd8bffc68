/** Joins class names; leaves out what is not set. */
export const classes = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')
