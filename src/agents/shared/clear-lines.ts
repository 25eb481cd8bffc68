/** Ctrl-U takes out what stands before the cursor in its line, then the line's end; on an empty box it does nothing. */
export const clearLines = (draft: string): readonly string[] => [
  'C-e',
  ...Array<string>(2 * draft.split('\n').length + 2).fill('C-u'),
]
