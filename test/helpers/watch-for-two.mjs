// Looks through the process table without a pause for two runs of one task that live at once. Ends with its stdin and
// prints what it saw: how often it looked, how many runs there were, and which lived together. Whoever was there before is not looked at.
import { readdirSync, readFileSync } from 'node:fs'

const [, , root] = process.argv
const before = new Set(readdirSync('/proc'))
const runs = new Set()
const together = new Set()
let looks = 0

process.stdin.on('end', () => {
  process.stdout.write(JSON.stringify({ looks, runs: runs.size, together: [...together] }))
  process.exit(0)
})
process.stdin.resume()
setImmediate(lookAgain)

function lookAgain() {
  looks++
  const marked = readdirSync('/proc').flatMap((pid) => (/^\d/.test(pid) && !before.has(pid) ? look(pid) : []))
  for (const { run } of marked) runs.add(run)
  // A look takes a while: only who is still there afterwards lived together with the other.
  for (const one of marked)
    for (const other of marked)
      if (one.task === other.task && one.run < other.run && isThere(one) && isThere(other) && isThere(one))
        together.add(`${one.task}: ${one.run} (${one.pid}) and ${other.run} (${other.pid})`)
  setImmediate(lookAgain)
}

/** The environment of a dead process is empty. */
function look(pid) {
  const environ = read(`/proc/${pid}/environ`)
  if (!environ.includes(`=${root}/`)) return []
  const entry = (name) => new RegExp(`(?:^|\\0)${name}=([^\\0]*)`).exec(environ)?.[1]
  const run = entry('HOLDFAST_RUN')
  const task = entry('HOLDFAST_TASK_ID')
  return run === undefined || task === undefined ? [] : [{ pid, run, task }]
}

const isThere = ({ pid, run }) => look(pid)[0]?.run === run

function read(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
