// Owns the build of the page: static files for the daemon, made anew only when something they are made of has changed.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Beside the page, not in it: what it was made of, and the files of packages that it contains. */
const NOTE = 'web.json'

/** Builds into `<fresh>/web`, or copies from `<before>/web` when that is the same. Returns the bundled source paths. */
export async function buildPage(root, before, fresh) {
  const hash = hashOf(root)
  const note = noteOf(before)
  if (note?.hash === hash && existsSync(join(before, 'web'))) {
    cpSync(join(before, 'web'), join(fresh, 'web'), { recursive: true })
    cpSync(join(before, NOTE), join(fresh, NOTE))
    return note.inputs
  }
  const { build } = await import('vite')
  const { output } = await build({
    configFile: join(root, 'web/vite.config.mjs'),
    logLevel: 'warn',
    // The terminal emulator is large, and loaded only when somebody opens a terminal.
    build: { outDir: join(fresh, 'web'), emptyOutDir: true, chunkSizeWarningLimit: 700 },
  })
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  const inputs = modules.flatMap((id) => /node_modules\/.*$/.exec(id.replaceAll('\0', ''))?.[0] ?? [])
  writeFileSync(join(fresh, NOTE), JSON.stringify({ hash, inputs: [...new Set(inputs)].sort() }))
  return inputs
}

function noteOf(before) {
  try {
    return JSON.parse(readFileSync(join(before, NOTE), 'utf8'))
  } catch {
    return undefined
  }
}

/** Where the page's code comes from: its own, and the client and the contract that it imports. */
export const pageSources = ['web', 'src/client', 'src/protocol', 'src/domain']

/** Of the page's sources and of the versions of its packages. */
function hashOf(root) {
  const hash = createHash('sha256')
  const files = pageSources.flatMap((dir) =>
    readdirSync(join(root, dir), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  )
  for (const file of [...files.sort(), join(root, 'package-lock.json'), join(root, 'package.json')])
    hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}
