import { expect, test } from 'vitest'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { byteSizeText, parseByteSize, roughByteSize } from '../../../src/domain/text/byte-size.ts'

test.each([
  ['0', 0],
  ['1024', 1024],
  ['500KB', 500 * 1024],
  ['100mb', 100 * 1024 ** 2],
  ['1.5 GB', 1.5 * 1024 ** 3],
])('%s is %i bytes', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes)
})

test.each(['', '-1', 'MB', '1XB', '1 MB 2', 'many'])('%j is not a size', (text) => {
  expect(() => parseByteSize(text)).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

test.each([0, 1, 1023, 1024, 1536, 100 * 1024 ** 2, 1024 ** 3])(
  '%i bytes are read as they are written',
  (bytes) => {
    expect(parseByteSize(byteSizeText(bytes))).toBe(bytes)
  },
)

test('people see one digit behind the point', () => {
  expect(roughByteSize(537_919_488)).toBe('513 MB')
  expect(roughByteSize(1_600)).toBe('1.6 KB')
})

test('sizes in the config have units, or none', () => {
  const content = { disk: { warn: '50MB', limit: 'none', totalWarn: 2048 } }
  const { config } = mergeConfig([{ file: 'user.yaml', approval: 'own', content }])
  expect(config).toMatchObject({ 'disk.warn': 50 * 1024 ** 2, 'disk.limit': null, 'disk.totalWarn': 2048 })
})
