import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseCommand } from '../../src/cli/parse-command.ts'
import { errorCatalogue } from '../../src/domain/errors/catalogue.ts'
import { sourceFiles } from '../helpers/source-files.ts'
import { codeBlockLines, codeSpans, pages, readPage } from './pages.ts'

/** What a page of the browser offers to copy: words in quotes or inside <code>. What is filled in later is one word. */
const offered = (source: string) =>
  [...source.matchAll(/(["'`]|<code>)(holdfast (?:(?!\1|<\/code>).)+)/g)]
    .filter(({ index }) => !/^\s*(\/\/|\/?\*)/.test(source.slice(source.lastIndexOf('\n', index) + 1, index)))
    .map(([, , command]) => command!.replace(/\$?\{[^}]+\}/g, 'word'))

/** Everything a reader would type, with where it stands. */
const shown = [
  ...pages.flatMap((page) => {
    const text = readPage(page)
    return [...codeBlockLines(text, 'sh'), ...codeSpans(text)].map((line) => ({ where: page, line }))
  }),
  ...Object.entries(errorCatalogue).flatMap(([code, { hint }]) =>
    codeSpans(hint).map((line) => ({ where: `the hint of ${code}`, line })),
  ),
  ...[...sourceFiles('web/src', '.tsx'), ...sourceFiles('web/src')].flatMap((file) =>
    offered(readFileSync(file, 'utf8')).map((line) => ({ where: file, line })),
  ),
].flatMap(({ where, line }) =>
  line
    .split(' && ')
    .filter((command) => command.startsWith('holdfast '))
    .map((command) => ({ where, command })),
)

test('the README shows the first commands', () => {
  expect(shown).toContainEqual({
    where: 'README.md',
    command: 'holdfast run --agent scripted "do: say hello" --wait',
  })
})

test('the page offers commands in quotes, in templates and in code', () => {
  const of = (file: string) => shown.filter(({ where }) => where.endsWith(file)).map(({ command }) => command)
  expect(of('screens/health/tmux.tsx')).toEqual(['holdfast doctor', 'holdfast doctor'])
  expect(of('tabs/inputs-tab.tsx')).toEqual(['holdfast send word "go on"'])
  expect(of('threads/messages.tsx')).toEqual(['holdfast thread show word'])
})

test.each(shown)('$where: $command can be typed as it stands', ({ command }) => {
  expect(() => parseCommand(wordsOf(command).slice(1))).not.toThrow()
})

const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
