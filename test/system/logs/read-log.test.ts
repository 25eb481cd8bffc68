import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLog } from '../../../src/system/logs/read-log.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

async function read(path: string): Promise<string> {
  const all: Uint8Array[] = []
  for await (const chunk of readLog(path, 0)) all.push(chunk)
  return Buffer.concat(all).toString()
}

const impostors: Readonly<Record<string, (path: string) => void>> = {
  'a link': (path) => symlinkSync('/etc/hostname', path),
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a directory': (path) => mkdirSync(path),
}

test.each(Object.keys(impostors))(
  '%s in the place of a log, or of a packed one, is nothing',
  async (what) => {
    for (const ending of ['', '.gz']) {
      const path = join(tempDir(), 'log')
      impostors[what]!(`${path}${ending}`)
      expect(await read(path)).toBe('')
    }
  },
)

test('a packed log that is damaged is an error, not the end of the log', async () => {
  const path = join(tempDir(), 'log')
  writeFileSync(`${path}.gz`, 'this is not packed')
  await expect(read(path)).rejects.toMatchObject({ code: 'Z_DATA_ERROR' })
})
