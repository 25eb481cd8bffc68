// Owns how a phone gets to the page: by which addresses, and the code that it reads from the screen.
import type { NetworkInterfaceInfo } from 'node:os'
import { renderUnicodeCompact } from 'uqr'
import { hostInUrl } from '../../../domain/names/loopback.ts'
import type { WebJson } from '../../../protocol/json/web-json.ts'

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/** Networks that exist inside this machine alone, such as those of containers. */
const INSIDE = /^(?:br-|cni|docker|flannel|lxc|lxd|podman|veth|virbr|vmnet)/
/** Addresses that a machine gives to itself, without a network to be reached by. */
const SELF_GIVEN = /^(?:169\.254\.|fe80:)/i

/** By which addresses other machines reach the port; none for a port of this machine alone. */
export function farAddresses({ host, port, remote }: WebJson, interfaces: Interfaces): string[] {
  if (!remote || host === null) return []
  const isAny = host === '0.0.0.0' || host === '::'
  const own = Object.entries(interfaces)
    .flatMap(([name, addresses]) => (INSIDE.test(name) ? [] : (addresses ?? [])))
    .filter(({ internal, family }) => !internal && (family === 'IPv4' || host === '::'))
    .filter(({ address }) => !SELF_GIVEN.test(address))
    .map(({ address }) => address)
  return (isAny ? own : [host]).map((address) => `http://${hostInUrl(address)}:${port}`)
}

/** The code of the link is good for one device: the first address is the one that others most likely reach. */
export const onPhone = ([first = '', ...others]: readonly string[]): string[] => [
  'On a phone in the same network:',
  renderUnicodeCompact(first),
  `  ${first}`,
  ...others.map((link) => `  ${link}`),
]
