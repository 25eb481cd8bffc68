import { once } from 'node:events'

/** Writes bytes to stdout, no faster than the reader takes them. */
export async function writeOut(bytes: Buffer): Promise<void> {
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
}
