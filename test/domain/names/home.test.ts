import { expect, test } from 'vitest'
import { homePaths } from '../../../src/domain/names/home.ts'

/** Both have 91 bytes: with `/daemon.sock.new` behind them, the 107 that a socket's path may have. */
const LONGEST = [`/${'a'.repeat(90)}`, `/${'ä'.repeat(45)}`]

test.each(LONGEST)(
  'the longest home %s is taken; one byte more is refused, and the bytes are counted',
  (home) => {
    expect(homePaths(home).socket).toBe(`${home}/daemon.sock`)
    expect(() => homePaths(`${home}x`)).toThrow(
      expect.objectContaining({
        code: 'HOME_PATH_TOO_LONG',
        message: `HOLDFAST_HOME is too long for a unix socket (92 bytes of at most 91): ${home}x`,
      }),
    )
  },
)
