import { expect, test } from 'vitest'
import {
  agentIdOf,
  checkRoleName,
  isRuntimeId,
  placeOf,
  readAgentId,
  runtimeIdFrom,
  targetOf,
} from '../../../src/domain/runtime/names.ts'

test('session, window and target follow from role and workspace', () => {
  const { session, window } = placeOf('reviewer', 'mobile_core')
  expect(targetOf({ tmuxSession: session, tmuxWindow: window, tmuxPane: 0 })).toBe(
    'agents_mobile_core:reviewer.0',
  )
})

test('a dot, which tmux takes for a separator, is no part of a name in tmux', () => {
  expect(placeOf('code.review', 'app.v2')).toEqual({ session: 'agents_app_v2', window: 'code_review' })
})

test('an agent id is read back as it was made', () => {
  expect(readAgentId(agentIdOf('reviewer', 'mobile_core'))).toEqual({ role: 'reviewer', slug: 'mobile_core' })
})

test.each(['reviewer', '@core', 'a@b@c', 'a b@core', 'a@', '..@core', '$(x)@y'])(
  '%s is no agent id',
  (text) => {
    expect(readAgentId(text)).toBeUndefined()
  },
)

test('a runtime id is known by its form', () => {
  expect(isRuntimeId(runtimeIdFrom('0B4F-77aa-19'))).toBe(true)
  expect(isRuntimeId('20251118-153042-x')).toBe(false)
})

test.each(['7', '0042', 'bootstrap', 'a:b', 'a b', '-x', ''])(
  "'%s' cannot be the role of a runtime",
  (role) => {
    expect(() => checkRoleName(role)).toThrow()
  },
)
