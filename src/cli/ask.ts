/** Returns one line that the person at the terminal types; Ctrl-D gives an empty one. */
export async function ask(question: string): Promise<string> {
  process.stderr.write(question)
  const { stdin } = process
  try {
    return await new Promise<string>((resolve) => {
      stdin.once('data', (bytes) => resolve(String(bytes).trim()))
      stdin.once('end', () => resolve(''))
    })
  } finally {
    stdin.pause()
  }
}

export const isYes = (answer: string) => /^y(es)?$/i.test(answer)
