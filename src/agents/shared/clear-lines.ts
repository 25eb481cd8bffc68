/** Ctrl-U deletes what is before the cursor in its line, then the line's end; in an empty box it does nothing. */
export const clearLines = (draft: string): readonly string[] => [
  'C-e',
  ...Array<string>(2 * draft.split('\n').length + 2).fill('C-u'),
]
