// Owns what /etc says about users and groups. Users that the system keeps elsewhere are not known here.
import { readFileSync } from 'node:fs'

/** In a user namespace, the kernel shows this uid for all users that have no number there. */
const OVERFLOW_UID = 65534

/** `bob (uid 1001)`, or the number alone. */
export function nameOfUser(uid: number): string {
  const name = users().find((user) => user.uid === uid)?.name
  return name === undefined ? `uid ${uid}` : `${name} (uid ${uid})`
}

/** A group whose only member is this user, as many systems give each user one. Root may be in any group. */
export function isOwnGroup(gid: number, uid: number, etc = '/etc'): boolean {
  const all = users(etc)
  const listed = groups(etc).find((group) => group.gid === gid)
  if (listed === undefined) return false
  const byName = listed.members.map((name) => all.find((user) => user.name === name)?.uid)
  const members = [...all.filter((user) => user.gid === gid).map((user) => user.uid), ...byName]
  return members.includes(uid) && members.every((member) => member === uid || member === 0)
}

/** In a sandbox with users of its own (a user namespace), files of the real root appear to belong to `OVERFLOW_UID`. */
export function mayBeRootOutside(uid: number): boolean {
  if (uid !== OVERFLOW_UID) return false
  const mapped = lines('/proc/self/uid_map', /\s+/).map(([first, , count]) => [Number(first), Number(count)])
  return mapped.length > 0 && !mapped.some(([first = 0, count = 0]) => uid >= first && uid < first + count)
}

const users = (etc = '/etc') =>
  lines(`${etc}/passwd`).map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))

const groups = (etc: string) =>
  lines(`${etc}/group`).map(([, , gid, members = '']) => ({
    gid: Number(gid),
    members: members.split(',').filter(Boolean),
  }))

function lines(file: string, between: string | RegExp = ':'): string[][] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.trim().split(between))
  } catch {
    return []
  }
}
