/** What a stream holds, but not much more than `most` bytes: whoever asks refuses what is longer. Errors are the stream's own. */
export async function bytesAtMost(most: number, stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) break
  }
  return Buffer.concat(chunks)
}
