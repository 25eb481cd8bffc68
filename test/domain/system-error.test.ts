import { expect, test } from 'vitest'
import { isHoldfastError } from '../../src/domain/errors.ts'
import { asDiskError, codeOf, diskCode, diskError, isErrno, unless } from '../../src/domain/system-error.ts'

const systemError = (code: string) => Object.assign(new Error(`${code}: no`), { code })

test.each([
  ['ENOSPC', 'DISK_FULL'],
  ['EDQUOT', 'DISK_FULL'],
  ['EACCES', 'HOME_NOT_WRITABLE'],
  ['EPERM', 'HOME_NOT_WRITABLE'],
  ['EROFS', 'HOME_NOT_WRITABLE'],
])('%s is told as %s, with the path and its cause', (code, ours) => {
  const cause = systemError(code)
  const error = diskError(cause, '/some/file')
  expect(error).toMatchObject({ code: ours, cause })
  expect(error?.message).toContain('/some/file')
  expect(diskCode(cause)).toBe(ours)
})

test('other errors are left as they are', () => {
  const error = systemError('EIO')
  expect(diskError(error)).toBeUndefined()
  expect(asDiskError(error, '/')).toBe(error)
  expect(isHoldfastError(asDiskError('text', '/'))).toBe(false)
})

test('only what the system refused has a code', () => {
  expect(codeOf(systemError('ENOENT'))).toBe('ENOENT')
  for (const other of [new Error('ENOENT'), { code: 'ENOENT' }, 'ENOENT', undefined, null])
    expect(codeOf(other)).toBeUndefined()
  expect(codeOf(Object.assign(new Error(), { code: 2 }))).toBeUndefined()
  expect(isErrno(new Error('no'), 'ENOENT')).toBe(false)
  expect(isErrno(systemError('EEXIST'), 'ENOENT', 'EEXIST')).toBe(true)
})

test('a failure that was expected gives something else, any other is thrown on', () => {
  expect(unless([], 'ENOENT')(systemError('ENOENT'))).toEqual([])
  expect(() => unless([], 'ENOENT')(systemError('EIO'))).toThrow('EIO')
})
