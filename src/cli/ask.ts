/** Returns one line that the person at the terminal types; Ctrl-D gives an empty one, and so do all questions after it. */
export async function ask(question: string): Promise<string> {
  process.stderr.write(question)
  const { stdin } = process
  if (stdin.readableEnded) return ''
  let listen = (_: Buffer | string): void => {}
  let end = (): void => {}
  try {
    return await new Promise<string>((resolve) => {
      listen = (bytes) => resolve(String(bytes).trim())
      end = () => resolve('')
      stdin.once('data', listen).once('end', end)
      // After a pause, listening alone does not make it flow again.
      stdin.resume()
    })
  } finally {
    stdin.pause().off('data', listen).off('end', end)
  }
}

export const isYes = (answer: string) => /^y(es)?$/i.test(answer)
