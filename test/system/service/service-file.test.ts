import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  removeServiceFile,
  type ServiceSpec,
  serviceFile,
  serviceFileState,
  writeServiceFile,
} from '../../../src/system/service/service-file.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

const plain: ServiceSpec = {
  node: '/usr/bin/node',
  daemon: '/opt/holdfast/daemon.js',
  home: '/home/ada/state',
  env: { HOLDFAST_HOME: '/home/ada/state', PATH: '/usr/bin:/bin' },
}
const odd = `/home/a "b" 50% $HOME \\n <&>'ü`
const hostile: ServiceSpec = {
  node: '/home/a b 50% $HOME/node',
  daemon: `${odd}/daemon.js`,
  home: odd,
  env: { HOLDFAST_HOME: odd, PATH: `${odd}/bin:/bin` },
}
const unitIn = (dir: string, spec = plain) => serviceFile(spec, dir, 'linux')

test('the unit starts the daemon itself and leaves its tmux and agents alone', () => {
  const { path, text } = unitIn('/home/ada')
  expect(path).toBe('/home/ada/.config/systemd/user/holdfast.service')
  const lines = text.split('\n')
  expect(lines).toContain(
    'ExecStart="/usr/bin/node" "--max-semi-space-size=4" "/opt/holdfast/daemon.js" "--home" "/home/ada/state"',
  )
  for (const line of [
    'Environment="HOLDFAST_HOME=/home/ada/state"',
    'Environment="PATH=/usr/bin:/bin"',
    'Environment="HOLDFAST_SERVICE=systemd"',
    'KillMode=process',
    'Restart=on-failure',
    'WantedBy=default.target',
  ])
    expect(lines).toContain(line)
})

test('quotes, backslashes, specifiers and variables in paths mean themselves', () => {
  const { text } = unitIn('/home/ada', hostile)
  const quoted = `/home/a \\"b\\" 50%% $HOME \\\\n <&>'ü`
  const argument = quoted.replace('$', '$$$$')
  expect(text).toContain(
    `ExecStart="/home/a b 50%% $HOME/node" "--max-semi-space-size=4" "${argument}/daemon.js" "--home" "${argument}"\n`,
  )
  expect(text).toContain(`Environment="HOLDFAST_HOME=${quoted}"\n`)
})

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0
test.skipIf(!hasAnalyze)('systemd finds nothing wrong with the unit', async () => {
  const dir = tempDir()
  const script = join(dir, 'a b 50% $c', 'node')
  mkdirSync(dirname(script))
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 })
  const service = unitIn(dir, { ...hostile, node: script })
  await writeServiceFile(service)
  const env = { PATH: process.env.PATH, HOME: dir, XDG_RUNTIME_DIR: dir }
  const verified = spawnSync('systemd-analyze', ['verify', '--user', service.path], { env, encoding: 'utf8' })
  // Other units of the machine are none of our business.
  expect(verified.stderr.split('\n').filter((line) => line.includes('holdfast.service'))).toEqual([])
})

test('on macOS it is a launchd agent that keeps its process group', () => {
  const { path, text } = serviceFile(plain, '/Users/ada', 'darwin')
  expect(path).toBe('/Users/ada/Library/LaunchAgents/dev.holdfast.daemon.plist')
  expect(text).toContain('<key>AbandonProcessGroup</key>\n  <true/>')
  expect(text).toContain('<key>RunAtLoad</key>\n  <true/>')
  expect(text).toContain('<key>SuccessfulExit</key>\n    <false/>')
})

const hasPython = spawnSync('python3', ['-c', 'import plistlib']).status === 0
test.skipIf(!hasPython)('the launchd agent reads back as it was meant, whatever stands in the paths', () => {
  const { text } = serviceFile(hostile, '/Users/ada', 'darwin')
  const program = 'import json, plistlib, sys; json.dump(plistlib.loads(sys.stdin.buffer.read()), sys.stdout)'
  expect(JSON.parse(execFileSync('python3', ['-c', program], { input: text, encoding: 'utf8' }))).toEqual({
    Label: 'dev.holdfast.daemon',
    ProgramArguments: [hostile.node, '--max-semi-space-size=4', hostile.daemon, '--home', odd],
    EnvironmentVariables: hostile.env,
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    AbandonProcessGroup: true,
    StandardErrorPath: `${odd}/daemon.stderr`,
  })
})

test.each(['linux', 'darwin'] as const)(
  'on %s a file is known by what it starts and for whom',
  async (os) => {
    const dir = tempDir()
    const file = serviceFile(plain, dir, os)
    const state = (over: Partial<ServiceSpec>) =>
      serviceFileState(serviceFile({ ...plain, ...over }, dir, os))
    expect(serviceFileState(file)).toBe('absent')
    expect(await writeServiceFile(file)).toBe(true)
    expect(await writeServiceFile(file)).toBe(false)
    expect(statSync(file.path).mode & 0o777).toBe(0o644)
    expect(serviceFileState(file)).toBe('current')
    expect(state({ env: { ...plain.env, PATH: '/other' } })).toBe('current')
    expect(state({ node: '/usr/local/bin/node' })).toBe('outdated')
    const other = { home: '/home/ada', env: { ...plain.env, HOLDFAST_HOME: '/home/ada' } }
    expect(state(other)).toBe('other_home')
    await expect(writeServiceFile(serviceFile({ ...plain, ...other }, dir, os))).rejects.toMatchObject({
      code: 'SERVICE_CONFLICT',
    })
  },
)

test('removing takes the link that enabled it along, and twice is the same as once', async () => {
  const file = unitIn(tempDir())
  await writeServiceFile(file)
  const link = join(dirname(file.path), 'default.target.wants/holdfast.service')
  mkdirSync(dirname(link))
  symlinkSync(file.path, link)
  for (let times = 0; times < 2; times++) removeServiceFile(file)
  expect(existsSync(file.path)).toBe(false)
  expect(existsSync(link)).toBe(false)
})

test.each([
  ['a file that somebody wrote', (path: string) => writeFileSync(path, '[Service]\nExecStart=/bin/true\n')],
  ['a link to itself', (path: string) => symlinkSync(path, path)],
  ['a unit that is masked', (path: string) => symlinkSync('/dev/null', path)],
])('%s is neither replaced nor removed', async (_what, put) => {
  const file = unitIn(tempDir())
  mkdirSync(dirname(file.path), { recursive: true })
  put(file.path)
  const before = contentOf(file.path)
  expect(serviceFileState(file)).toBe('foreign')
  await expect(writeServiceFile(file)).rejects.toMatchObject({ code: 'SERVICE_CONFLICT' })
  expect(() => removeServiceFile(file)).toThrow('not made by Holdfast')
  expect(contentOf(file.path)).toBe(before)
})

test.each([{ home: '/a\nb' }, { node: '/a"b/node' }, { env: { HOLDFAST_HOME: '/a', PATH: '/a\x1b' } }])(
  '%j cannot be written',
  async (over) => {
    const file = unitIn(tempDir(), { ...plain, ...over })
    await expect(writeServiceFile(file)).rejects.toMatchObject({ code: 'SERVICE_CONFLICT' })
    expect(serviceFileState(file)).toBe('absent')
  },
)

const contentOf = (path: string) =>
  lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'utf8')
