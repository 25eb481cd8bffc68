import type { FileHandle } from 'node:fs/promises'

/** Uses a file and closes it, whatever happens. */
export async function withFile<T>(
  opening: Promise<FileHandle>,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await opening
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}
