import { expect, test } from 'vitest'
import { PERMISSIONS, type Permission, permissionNarrows } from '../../../src/domain/run/permission.ts'
import type { Approval } from '../../../src/domain/settings/approval.ts'
import { type RoleTerms, termsFor, wideningTerms } from '../../../src/domain/settings/role-terms.ts'

const MINUTE = 60_000
const otherwise = { permission: 'default', maxDurationMs: 30 * MINUTE } as const
const nothing = { permission: undefined, maxDurationMs: undefined, under: null }
const role = (said: Partial<RoleTerms>, approval: Approval = 'new'): RoleTerms => ({
  ...{ file: '/p/role.md', approval, permission: undefined, maxDurationMs: undefined },
  ...said,
})
const coded = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

test('read is the narrowest and full the widest; default and edit do not compare', () => {
  const narrowerThan = (from: Permission) => PERMISSIONS.filter((to) => permissionNarrows(to, from))
  expect(Object.fromEntries(PERMISSIONS.map((from) => [from, narrowerThan(from)]))).toEqual({
    default: ['default', 'read'],
    read: ['read'],
    edit: ['read', 'edit'],
    full: ['default', 'read', 'edit', 'full'],
  })
})

test('without a role, or with one that says nothing, what holds anyway holds', () => {
  expect(termsFor(nothing, null, otherwise)).toEqual(otherwise)
  expect(termsFor(nothing, role({}), otherwise)).toEqual(otherwise)
})

test.each(['own', 'approved'] as const)('a role that is %s counts as it stands', (approval) => {
  const said = { permission: 'full', maxDurationMs: null } as const
  expect(termsFor(nothing, role(said, approval), otherwise)).toEqual(said)
})

test('an unapproved role may narrow', () => {
  const said = { permission: 'read', maxDurationMs: MINUTE } as const
  expect(termsFor(nothing, role(said), otherwise)).toEqual(said)
  expect(wideningTerms(said, otherwise)).toEqual([])
})

test.each([
  [{ permission: 'edit' }, 'permissions: edit'],
  [{ permission: 'full' }, 'permissions: full'],
  [{ maxDurationMs: 60 * MINUTE }, 'limits.max_duration: 1h'],
  [{ maxDurationMs: null }, 'limits.max_duration: none'],
] as const)('an unapproved role that says %j is an error, not less than it needs', (said, text) => {
  expect(wideningTerms(role(said), otherwise)).toEqual([text])
  expect(() => termsFor(nothing, role(said), otherwise)).toThrow(
    coded('NOT_TRUSTED', new RegExp(`^/p/role.md: '${text}' would allow more.*the file is not approved`)),
  )
  expect(() => termsFor(nothing, role(said, 'changed'), otherwise)).toThrow(/changed since it was approved/)
})

test('a person’s word goes before the role’s, upward and downward', () => {
  const asked = { permission: 'edit', maxDurationMs: null, under: null } as const
  const terms = { permission: 'edit', maxDurationMs: null }
  expect(termsFor(asked, role({ permission: 'full', maxDurationMs: MINUTE }, 'own'), otherwise)).toEqual(
    terms,
  )
  expect(termsFor(asked, role({ permission: 'full', maxDurationMs: null }), otherwise)).toEqual(terms)
  expect(termsFor(asked, role({ permission: 'read' }), otherwise)).toEqual(terms)
})

test('a run’s word only narrows what would hold without it', () => {
  const asked = (permission: Permission, under: Permission = 'full') => ({
    permission,
    maxDurationMs: undefined,
    under,
  })
  const refused = coded('NOT_ALLOWED_FOR_RUN', /may not widen permissions/)
  expect(termsFor(asked('read'), null, otherwise).permission).toBe('read')
  expect(() => termsFor(asked('edit'), null, otherwise)).toThrow(refused)
  expect(termsFor(asked('edit'), role({ permission: 'full' }, 'own'), otherwise).permission).toBe('edit')
  expect(() => termsFor(asked('edit'), role({ permission: 'full' }), otherwise)).toThrow(refused)
  expect(() => termsFor(asked('default'), role({ permission: 'read' }), otherwise)).toThrow(refused)
})

test('a task’s own tasks may never do more than it may, whoever says so', () => {
  const under = (bound: Permission) => ({ ...nothing, under: bound })
  const refused = coded('NOT_ALLOWED_FOR_RUN', /from 'read' to 'edit'/)
  expect(termsFor(under('read'), null, otherwise).permission).toBe('read')
  expect(termsFor(under('full'), null, otherwise).permission).toBe('default')
  expect(() => termsFor(under('read'), role({ permission: 'edit' }, 'own'), otherwise)).toThrow(refused)
  expect(() => termsFor({ ...under('read'), permission: 'edit' }, null, otherwise)).toThrow(refused)
})
