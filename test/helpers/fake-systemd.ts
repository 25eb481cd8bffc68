// A stand-in for the user's systemd on a PATH of its own: it notes what it is told, and starts what the unit says.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SYSTEMCTL = `#!/bin/sh
state=$(dirname "$0")
unit=$HOME/.config/systemd/user/holdfast.service
echo "systemctl $*" >>"$state/calls"
[ "$1" = --user ] || exit 1
shift
pid() { cat "$state/pid" 2>/dev/null || echo 0; }
alive() { [ "$(pid)" != 0 ] && grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$(pid)/status" 2>/dev/null; }
stop() {
  alive && kill "$(pid)"
  while alive; do sleep 0.05; done
}
start() {
  [ -e "$unit" ] || { echo 'Unit holdfast.service not found.' >&2; exit 5; }
  sed -n -e 's/%%/%/g' -e 's/^Environment=/export /p' -e 's/^ExecStart=/exec /p' "$unit" | sort -r >"$state/script"
  { grep -v '^exec ' "$state/script"; grep '^exec ' "$state/script"; } >"$state/start"
  env -i HOME="$HOME" PATH=/usr/bin:/bin setsid sh "$state/start" </dev/null >>"$state/journal" 2>&1 &
  echo $! >"$state/pid"
}
case $1 in
  show)
    alive && echo ActiveState=active || echo ActiveState=inactive
    alive && echo "MainPID=$(pid)" || echo MainPID=0
    [ -e "$state/enabled" ] && echo UnitFileState=enabled || echo UnitFileState=disabled
    ;;
  enable) : >"$state/enabled" ;;
  disable)
    rm -f "$state/enabled"
    [ "$2" = --now ] && stop
    exit 0
    ;;
  start) alive || start ;;
  restart)
    stop
    start
    ;;
esac
`
const SYSTEMD_RUN = `#!/bin/sh
echo "systemd-run $*" >>"$(dirname "$0")/calls"
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
`
const LOGINCTL = `#!/bin/sh
cat "$(dirname "$0")/linger"
`
const NOBODY = `#!/bin/sh
echo 'Failed to connect to bus: No medium found' >&2
exit 1
`

/** With `answers` false, what a machine without systemd says. */
export function fakeSystemd(root: string, { answers = true } = {}) {
  const dir = join(root, 'systemd')
  mkdirSync(dir)
  const programs = { systemctl: SYSTEMCTL, 'systemd-run': SYSTEMD_RUN, loginctl: LOGINCTL }
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(dir, name), answers ? script : NOBODY)
    chmodSync(join(dir, name), 0o755)
  }
  const setLinger = (linger: boolean) =>
    writeFileSync(join(dir, 'linger'), `Linger=${linger ? 'yes' : 'no'}\n`)
  setLinger(false)
  const calls = () => (existsSync(join(dir, 'calls')) ? readFileSync(join(dir, 'calls'), 'utf8') : '')
  return {
    path: `${dir}:${process.env.PATH}`,
    setLinger,
    mainPid: () => Number(readFileSync(join(dir, 'pid'), 'utf8')),
    /** What changes something, in order. */
    orders: () =>
      calls()
        .split('\n')
        .filter((line) => line.startsWith('systemctl') && !line.includes(' show '))
        .map((line) => line.replace('systemctl --user ', '')),
    scopes: () =>
      calls()
        .split('\n')
        .filter((line) => line.startsWith('systemd-run')),
  }
}
