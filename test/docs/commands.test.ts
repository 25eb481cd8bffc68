import { expect, test } from 'vitest'
import { parseCommand } from '../../src/cli/parse-command.ts'
import { errorCatalogue } from '../../src/domain/errors/catalogue.ts'
import { codeBlockLines, codeSpans, pages, readPage } from './pages.ts'

/** Everything a reader would type, with where it stands. */
const shown = [
  ...pages.flatMap((page) => {
    const text = readPage(page)
    return [...codeBlockLines(text, 'sh'), ...codeSpans(text)].map((line) => ({ where: page, line }))
  }),
  ...Object.entries(errorCatalogue).flatMap(([code, { hint }]) =>
    codeSpans(hint).map((line) => ({ where: `the hint of ${code}`, line })),
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

test.each(shown)('$where: $command can be typed as it stands', ({ command }) => {
  expect(() => parseCommand(wordsOf(command).slice(1))).not.toThrow()
})

const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
