import { expect, test } from 'vitest'
import type { Command } from '../../src/cli/command.ts'
import { commands, globalOptions } from '../../src/cli/commands.ts'
import { GROUPS } from '../../src/cli/front-page.ts'
import { helpFor } from '../../src/cli/help.ts'

const table: readonly Command[] = commands
const listed = table.filter(({ hidden }) => !hidden)

test('with --all the help names every command and global option, and no hidden one', () => {
  const help = helpFor([], { all: true })
  for (const { name } of listed) expect(help).toMatch(new RegExp(`^  ${name} `, 'm'))
  for (const { name } of globalOptions) expect(help).toContain(`--${name}`)
  expect(help).not.toContain('completion ids')
})

test('the help fits one screen, in groups, and says where the rest is', () => {
  const help = helpFor([])
  expect(help.split('\n').length).toBeLessThanOrEqual(45)
  for (const [group, names] of Object.entries(GROUPS))
    expect(help).toMatch(
      new RegExp(`^${group}:\n${names.map((name) => `  ${name} .*\n(?:   .*\n)?`).join('')}`, 'm'),
    )
  expect(help).toContain('holdfast --help --all')
})

test.each(listed)('help for `$name` has its arguments, options and examples', (command) => {
  const help = helpFor(command.name.split(' '))
  expect(help).toContain(`Usage: holdfast ${command.name}`)
  for (const { name } of command.arguments) expect(help).toContain(`<${name}>`)
  for (const { name, value } of command.options)
    expect(help).toContain(value ? `--${name} ${value}` : `--${name}`)
  for (const example of command.examples) expect(help).toContain(example)
})

test('help fits 80 columns, examples aside', () => {
  for (const { name, examples } of listed)
    for (const line of helpFor(name.split(' ')).split('\n'))
      if (!examples.includes(line.trim())) expect(line.length, line).toBeLessThanOrEqual(80)
})

test('help for a group lists its commands; an unknown topic is a usage error', () => {
  expect(helpFor(['workspace'])).toMatch(/workspace add[\s\S]*workspace list[\s\S]*workspace rm/)
  expect(helpFor(['workspace'])).not.toContain('doctor')
  expect(() => helpFor(['nonsense'])).toThrow(expect.objectContaining({ code: 'USAGE' }))
  expect(() => helpFor(['workspace', 'nonsense'])).toThrow(expect.objectContaining({ code: 'USAGE' }))
})
