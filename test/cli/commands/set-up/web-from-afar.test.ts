import type { NetworkInterfaceInfo } from 'node:os'
import { encode, renderUnicodeCompact } from 'uqr'
import { expect, test } from 'vitest'
import { farAddresses, onPhone } from '../../../../src/cli/commands/set-up/web-from-afar.ts'
import type { WebJson } from '../../../../src/protocol/json/web-json.ts'
import { modulesOf, readQrCode } from '../../../helpers/read-qr-code.ts'

const opened = (host: string, remote = true): WebJson => ({
  open: true,
  host,
  port: 4949,
  address: 'http://127.0.0.1:4949',
  remote,
  trouble: null,
})
const at = (address: string, family: 'IPv4' | 'IPv6' = 'IPv4', internal = false) =>
  ({ address, family, internal }) as NetworkInterfaceInfo

const interfaces = {
  lo: [at('127.0.0.1', 'IPv4', true), at('::1', 'IPv6', true)],
  docker0: [at('172.17.0.1')],
  'br-3f1': [at('172.18.0.1')],
  eth0: [at('192.168.1.20'), at('fe80::1', 'IPv6'), at('fd00::2', 'IPv6')],
  tailscale0: [at('100.64.0.7')],
  usb0: [at('169.254.3.4')],
}

test('a port that is open to all is reached by the addresses of real networks and VPNs alone', () => {
  expect(farAddresses(opened('0.0.0.0'), interfaces)).toEqual([
    'http://192.168.1.20:4949',
    'http://100.64.0.7:4949',
  ])
  expect(farAddresses(opened('::'), interfaces)).toContain('http://[fd00::2]:4949')
  expect(farAddresses(opened('10.1.2.3'), interfaces)).toEqual(['http://10.1.2.3:4949'])
})

test('nobody else reaches a port of this machine, or one without a network', () => {
  expect(farAddresses(opened('127.0.0.1', false), interfaces)).toEqual([])
  expect(farAddresses(opened('0.0.0.0'), { lo: interfaces.lo, docker0: interfaces.docker0 })).toEqual([])
})

test.each([
  'http://10.0.0.1:80/open?code=x',
  `http://192.168.1.20:4949/open?code=${'aB-_9'.repeat(8)}abc`,
  `http://255.255.255.255:65535/open?code=${'zY_-0'.repeat(8)}abc`,
])('the code on the screen reads %s', (link) => {
  const [, code = ''] = onPhone([link])
  expect(readQrCode(modulesOf(code.split('\n')))).toBe(link)
})

test('a code with one wrong module is not read as the address', () => {
  const link = 'http://192.168.1.20:4949/open?code=abc'
  const modules = modulesOf(renderUnicodeCompact(link).split('\n'))
  expect(modules).toHaveLength(encode(link).size - 2)
  const last = modules.length - 1
  modules[last]![last] = !modules[last]![last]
  modules[last - 6]![last] = !modules[last - 6]![last]
  expect(() => expect(readQrCode(modules)).toBe(link)).toThrow()
})
