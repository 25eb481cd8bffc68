import { expect, test } from 'vitest'
import { reportError } from '../../src/cli/report-error.ts'
import { daemonError } from '../../src/cli/wire/daemon-error.ts'
import { errorCatalogue } from '../../src/domain/errors/catalogue.ts'
import { HoldfastError, waysOut } from '../../src/domain/errors.ts'
import { errorJson } from '../../src/server/requests/error-json.ts'

const refused = new HoldfastError('AGENT_CANNOT', 't1 cannot be answered.', {
  waysOut: waysOut('t1', 'retry', 'kill'),
})
const overTheWire = (told: unknown) => daemonError(JSON.stringify(told))

test('what can be done with the session instead is told as commands, also from the daemon', () => {
  const stderr = `Error: t1 cannot be answered. (AGENT_CANNOT)
Try:   \`holdfast retry t1\` starts it over; \`holdfast kill t1\` ends it now.
`
  for (const error of [refused, overTheWire(errorJson(refused))])
    expect(reportError(error, false)).toEqual({ exit: 1, stdout: '', stderr })
})

test('a way out that needs more words shows where they go', () => {
  const error = new HoldfastError('TASK_ACTIVE', 'No.', {
    waysOut: waysOut('t1', 'send', 'answer', 'resume'),
  })
  expect(reportError(overTheWire(errorJson(error)), false).stderr).toContain(
    'Try:   `holdfast send t1 "<prompt>"` gives it another prompt; `holdfast answer t1 <answer>` answers its question; `holdfast resume t1` brings it back.',
  )
})

test('as JSON it is data, beside the hint', () => {
  const { stdout } = reportError(overTheWire(errorJson(refused)), true)
  expect(JSON.parse(stdout).error).toEqual({
    code: 'AGENT_CANNOT',
    message: 't1 cannot be answered.',
    hint: errorCatalogue.AGENT_CANNOT.hint,
    ways_out: [
      { do: 'retry', session_id: 't1' },
      { do: 'kill', session_id: 't1' },
    ],
  })
})

test.each([true, false])(
  'no message controls the terminal, a bug of ours (%s) neither; lines stay lines',
  (isBug) => {
    const words = 'one\u001b[2J\r\u0007\u009b\ntwo\tend'
    const error = isBug ? new Error(words) : new HoldfastError('USAGE', words)
    const { stderr } = reportError(error, false)
    expect(stderr).toContain('Error: one?[2J??? (')
    expect(stderr).toContain('\ntwo\tend\n')
    expect(stderr.replaceAll(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u)
  },
)

test.each([undefined, 'kill', [null, { do: 'fly', session_id: 't1' }, { do: 'kill' }]])(
  'a daemon of another version that tells %j leaves the hint',
  (ways_out) => {
    const told = { code: 'AGENT_CANNOT', message: 'No.', hint: '', ways_out }
    expect(reportError(overTheWire(told), false).stderr).toContain(
      `Try:   ${errorCatalogue.AGENT_CANNOT.hint}`,
    )
  },
)
