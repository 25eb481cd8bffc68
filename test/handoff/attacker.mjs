// Turns a handoff directory against its writer, as fast as it can, until it is killed. Says a dot now and then.
import { linkSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'

const [how, view, victimDir] = process.argv.slice(2)
const attempt = (act) => {
  try {
    act()
  } catch {}
}

const attacks = {
  /** The directory becomes a link and a directory again; what was rebuilt in between is deleted. */
  swap() {
    attempt(() => renameSync(view, `${view}.aside`))
    attempt(() => symlinkSync(victimDir, view))
    attempt(() => unlinkSync(view))
    attempt(() => rmSync(view, { recursive: true }))
    attempt(() => renameSync(`${view}.aside`, view))
  },
  delete() {
    attempt(() => rmSync(view, { recursive: true }))
  },
  /** Every file, also the temporary ones, becomes a link of either kind. */
  files() {
    for (const name of ['state.json', 'session.log', 'output.log'])
      for (const entry of [`${view}/${name}`, `${view}/.${name}.tmp`])
        for (const link of [symlinkSync, linkSync]) {
          attempt(() => unlinkSync(entry))
          attempt(() => link(`${victimDir}/${name}`, entry))
        }
  },
}

for (let n = 0; ; n++) {
  attacks[how]()
  if (n % 20 === 0) process.stdout.write('.')
}
