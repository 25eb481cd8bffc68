// Following a session's texts to their last line.
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { finished, startWorld } from '../helpers/world.ts'

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)

test('logs --session -f ends by itself when the session ends, and every follower got the whole log', async () => {
  const world = await startWorld()
  const goFile = `${world.root}/go`
  const id = await world.run(`do: wait-for ${goFile}\ndo: finish fine`)
  const followers = [1, 2, 3, 4].map(() => {
    const child = world.start(['logs', id, '--session', '-f'])
    const said = finished(child)
    return { said, begun: new Promise<void>((seen) => child.stdout!.once('data', () => seen())) }
  })
  await Promise.all(followers.map(({ begun }) => begun))
  await world.ok(['list'])
  writeFileSync(goFile, '')
  for (const { said } of followers) {
    const { code, stdout } = await said
    expect(code).toBe(0)
    expect(stdout).toMatch(/ → COMPLETED /)
    expect(lastLine(stdout)).toContain('Result written: result.json')
    expect(stdout).toBe(await world.ok(['logs', id, '--session']))
  }
})

test('logs -f ends with the last line of output, also of an archived session', async () => {
  const world = await startWorld({ config: 'archive.after: none\n' })
  const id = await world.run('do: flood 1500000\ndo: say the last words\ndo: finish fine')
  const followed = await world.ok(['logs', id, '-f'])
  expect(followed).toBe(await world.ok(['logs', id]))
  expect(lastLine(followed)).toBe('result: fine')
  await waitFor('it to be archived', async () => (await world.cli(['archive', id])).code === 0)
  for (const flags of [[], ['--session']])
    expect(await world.ok(['logs', id, '-f', ...flags])).toBe(await world.ok(['logs', id, ...flags]))
  expect(await world.ok(['logs', id, '-f'])).toBe(followed)
})
