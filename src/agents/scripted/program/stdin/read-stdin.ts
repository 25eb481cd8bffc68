// Owns what arrives on stdin without a terminal: the prompt itself up to its end, or JSON lines,
// first {"prompt": "…"} and then one {"answer": "…"} per question.

export type Stdin = {
  readonly prompt: string
  /** The next answer; undefined when stdin has ended. */
  nextAnswer(): Promise<string | undefined>
}

export async function readStdin(input: AsyncIterable<string>): Promise<Stdin> {
  const lines = linesOf(input)
  const first = (await lines.next()).value ?? ''
  const prompt = stringIn(first, 'prompt')
  if (prompt !== undefined) return { prompt, nextAnswer: () => nextAnswer(lines) }
  const all = [first]
  for await (const line of lines) all.push(line)
  return { prompt: all.join(''), nextAnswer: async () => undefined }
}

async function nextAnswer(lines: AsyncGenerator<string, undefined>): Promise<string | undefined> {
  for (;;) {
    const { value, done } = await lines.next()
    if (done) return undefined
    const answer = stringIn(value, 'answer')
    if (answer !== undefined) return answer
  }
}

/** Each line with its newline; the last one may lack it. */
export async function* linesOf(input: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let rest = ''
  for await (const chunk of input) {
    const lines = (rest + chunk).split(/(?<=\n)/)
    rest = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '')
    yield* lines
  }
  if (rest !== '') yield rest
}

function stringIn(line: string, key: 'prompt' | 'answer'): string | undefined {
  try {
    const value = (JSON.parse(line) as Record<string, unknown> | null)?.[key]
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
