// Makes sure that the programs named as arguments are there: installs them when it may, else says what to do.
import { spawnSync } from 'node:child_process'

const wanted = process.argv.slice(2)
/** Programs that come with a package of another name. */
const PACKAGES = { promtool: 'prometheus' }
const packages = (programs) => programs.map((program) => PACKAGES[program] ?? program)
const has = (program) =>
  spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' }).status === 0
const missing = wanted.filter((program) => !has(program))
if (missing.length > 0) {
  const installer = findInstaller()
  if (installer) {
    console.log(`Installing ${missing.join(', ')} …`)
    for (const command of installer(packages(missing)))
      spawnSync(command[0], command.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const still = missing.filter((program) => !has(program))
  if (still.length > 0) {
    console.error(`Needed and not found: ${still.join(', ')}.`)
    console.error(
      `Install with: sudo apt-get install ${packages(still).join(' ')}   (or: brew install ${packages(still).join(' ')})`,
    )
    process.exit(1)
  }
}

function findInstaller() {
  if (has('apt-get')) {
    const root = process.getuid?.() === 0
    const sudo = !root && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
    if (!root && !sudo) return undefined
    const prefix = root ? [] : ['sudo', '-n']
    const apt = (...args) => [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]
    return (names) => [apt('update', '-qq'), apt('install', '-y', '-qq', '--no-install-recommends', ...names)]
  }
  if (has('brew')) return (names) => [['brew', 'install', '--quiet', ...names]]
  return undefined
}
