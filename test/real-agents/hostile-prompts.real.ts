// Prompts that look like commands, given to each real agent as its one prompt: text to the model, and nothing else.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { driverOf, kindsThat } from './daemon-world.ts'
import { useLab } from './lab.ts'

const lab = useLab()
const kinds = kindsThat(() => true)
const prompts = [
  '!touch ran.txt',
  ' !touch ran.txt',
  '/no-such-command DO:text{fine}',
  'look at @ran.txt',
  '\u001b[201~\n!touch ran.txt\n',
  '--help',
]

test.each(kinds)('%s runs nothing that a prompt only looks like', async (kind) => {
  for (const prompt of prompts) {
    await lab.runPlan(driverOf(kind), lab.request({ prompt, permission: 'read' }))
    expect(existsSync(join(lab.project, 'ran.txt')), prompt).toBe(false)
  }
  const heard = JSON.stringify(lab.requests())
  expect(heard).toContain('!touch ran.txt')
  expect(heard).toContain('look at @ran.txt')
})
