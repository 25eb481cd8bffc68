// `holdfast web` gives its link to the browser of whoever sits at the machine, and to nobody else's.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAlive } from '../helpers/is-alive.ts'
import { startWorld } from '../helpers/world.ts'

/** `does`: what the program that opens links does, after it has written down what it was given. */
async function startWithOpener(does: string) {
  const world = await startWorld()
  await world.ok(['up'])
  const bin = join(world.root, 'bin')
  const given = join(world.root, 'given')
  mkdirSync(bin)
  const program = join(bin, 'xdg-open')
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$$" "$#" "$@" > '${given}'\n${does}\n`)
  chmodSync(program, 0o755)
  return {
    world,
    web: (args: string[], env: Record<string, string>) =>
      world.cli(['web', ...args], { env: { PATH: `${bin}:${world.env.PATH}`, ...env } }),
    isAsked: () => existsSync(given),
    given: () => {
      const [pid, count, ...args] = readFileSync(given, 'utf8').trimEnd().split('\n')
      return { pid: Number(pid), count: Number(count), args }
    },
  }
}

const linkIn = (said: string) => /^ {2}(http:\/\/127\.0\.0\.1:\d+\/open\?code=[\w-]{43})$/m.exec(said)?.[1]
const works = async (link: string | undefined) =>
  (await fetch(link ?? 'none', { redirect: 'manual' })).status === 303

test.each([{ DISPLAY: ':0' }, { WAYLAND_DISPLAY: 'wayland-0' }] as Record<string, string>[])(
  'with a screen (%j) the link is opened, as the one argument, and works',
  async (screen) => {
    const { web, given } = await startWithOpener('exit 0')
    const { code, stdout, stderr } = await web([], screen)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^The page is opening in your browser\./)
    const link = linkIn(stdout)
    expect(given()).toMatchObject({ count: 1, args: [link] })
    expect(await works(link)).toBe(true)
  },
)

test('nothing is opened where nobody would see it, or where it was not asked for; the link is printed', async () => {
  const { web, isAsked } = await startWithOpener('exit 0')
  const screen = { DISPLAY: ':0' }
  const quiet: [string[], Record<string, string>][] = [
    [[], {}],
    [[], { ...screen, SSH_CONNECTION: '10.0.0.1 50000 10.0.0.2 22' }],
    [[], { ...screen, CI: 'true' }],
    [['--no-open'], screen],
  ]
  for (const [args, env] of quiet) {
    const { code, stdout } = await web(args, env)
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'Open this link in a browser:'])
    expect(await works(linkIn(stdout))).toBe(true)
  }
  const { stdout } = await web(['--json'], screen)
  expect(JSON.parse(stdout)).toMatchObject({ browser_opened: false })
  // A run is refused before that.
  expect((await web([], { ...screen, HOLDFAST_RUN: 'run-1' })).stderr).toContain('NOT_ALLOWED_FOR_RUN')
  expect(isAsked()).toBe(false)
})

test.each([
  ['fails', 'echo "no browser" >&2; exit 3'],
  ['hangs', 'exec tail -f /dev/null'],
  ['writes without end', 'exec yes'],
])(
  'a program that %s does no harm: the link is printed and works, and the program is gone',
  async (_, does) => {
    const { web, given } = await startWithOpener(does)
    const { code, stdout, stderr } = await web([], { DISPLAY: ':0' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Open this link in a browser:\n/)
    const link = linkIn(stdout)
    expect(given().args).toEqual([link])
    expect(isAlive(given().pid)).toBe(false)
    expect(await works(link)).toBe(true)
  },
)

test('where no program opens links, the link is printed', async () => {
  const { world } = await startWithOpener('exit 0')
  const { code, stdout, stderr } = await world.cli(['web'], {
    env: { DISPLAY: ':0', PATH: join(world.root, 'empty') },
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^Open this link in a browser:\n/)
})
