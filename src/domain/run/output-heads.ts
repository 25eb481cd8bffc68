// Owns the words that lines of output.log begin with: whoever writes them and whoever tells them apart have the same ones.

/** `<head>: <text>`; further lines of the text are indented. */
export const OUTPUT_HEADS = [
  'session',
  'agent',
  'note',
  'tool',
  'tool done',
  'tool failed',
  'asks',
  'answer',
  'prompt',
  'blocked',
  'limit',
  'usage',
  'result',
  'result, failed',
  'unknown',
] as const

export type OutputHead = (typeof OUTPUT_HEADS)[number]
