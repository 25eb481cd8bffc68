import { expect, test } from 'vitest'
import { isUsable, ruleFor } from '../../../src/domain/conversation/answer-policy.ts'
import { HOLDFAST_ASKS } from '../../../src/domain/conversation/holdfast-question.ts'
import {
  type AnswerRule,
  answerRulesText,
  readAnswerRules,
} from '../../../src/domain/settings/answer-rules.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { aQuestion } from '../../builders/question.ts'

const rule = (changes: Partial<AnswerRule> = {}): AnswerRule => ({
  match: '^Do you want to run npm test\\?',
  agent: null,
  answer: 'yes',
  ...changes,
})
const asks = (text: string) => aQuestion({ text, ref: 'r1' })

test('the first rule whose pattern and agent fit answers', () => {
  const rules = [rule({ agent: 'codex', answer: 'a' }), rule({ answer: 'b' }), rule({ answer: 'c' })]
  expect(ruleFor(rules, asks('Do you want to run npm test?'), 'claude')?.answer).toBe('b')
  expect(ruleFor(rules, asks('Do you want to run npm test?'), 'codex')?.answer).toBe('a')
  expect(ruleFor(rules, asks('Do you want to run rm -rf /?'), 'codex')).toBeUndefined()
})

test('what Holdfast itself asks is never answered by a rule', () => {
  const own = aQuestion({ text: 'Stopped by you: resume or close?', ref: HOLDFAST_ASKS })
  expect(ruleFor([rule({ match: '' })], own, 'claude')).toBeUndefined()
  expect(ruleFor([rule({ match: 'resume' })], own, 'claude')).toBeUndefined()
})

test('only the first 2,000 characters of a question count', () => {
  const long = `${'x'.repeat(2000)}danger`
  expect(ruleFor([rule({ match: 'danger' })], asks(long), 'claude')).toBeUndefined()
  expect(ruleFor([rule({ match: 'xdanger' })], asks(long.slice(1)), 'claude')).toBeUndefined()
  expect(ruleFor([rule({ match: 'danger' })], asks(long.slice(6)), 'claude')).toBeDefined()
})

test('a question made to keep a pattern busy keeps no rule from being applied', () => {
  const evil = asks(`${'a'.repeat(1500)}! Proceed?`)
  expect(ruleFor([rule({ match: '^(a+)+$|Proceed', answer: 'b' })], evil, 'claude')?.answer).toBe('b')
  expect(
    ruleFor([rule({ match: '(a+)+$' }), rule({ match: '\\?$', answer: 'c' })], evil, 'claude')?.answer,
  ).toBe('c')
})

test('a rule of a task that an older version stored, and which cannot be tried, is told apart', () => {
  const old = rule({ match: '(?=a)b' })
  expect(isUsable(old)).toBe(false)
  expect(ruleFor([old, rule({ match: 'b', answer: 'c' })], asks('ab'), 'claude')?.answer).toBe('c')
})

test('rules are read from the config: a number is an option, an agent is optional', () => {
  const read = readAnswerRules([{ match: 'Go\\?', answer: 1 }, rule({ agent: 'pi' })])
  expect(read).toEqual([{ match: 'Go\\?', agent: null, answer: '1' }, rule({ agent: 'pi' })])
})

const bad: [string, unknown, string][] = [
  ['no list', { match: 'a', answer: 'b' }, 'must be a list'],
  ['a text for a rule', ['a'], "'answers[0]' must be a map"],
  ['no pattern', [{ answer: 'b' }], "'answers[0].match' must be a regular expression"],
  ['a broken pattern', [{ match: '(', answer: 'b' }], 'is not a regular expression'],
  ['a look-ahead', [{ match: '(?=a)', answer: 'b' }], "'answers[0].match' cannot be used: look-ahead"],
  ['a pattern of 201 characters', [{ match: 'a'.repeat(201), answer: 'b' }], 'at most 200 characters'],
  ['no answer', [{ match: 'a' }], "'answers[0].answer' must be a text"],
  ['an unknown field', [{ match: 'a', answer: 'b', always: true }], "'answers[0].always' is unknown"],
]
test.each(bad)('%s is refused with its place', (_, answers, words) => {
  const file = { file: 'config.yaml', approval: 'own', content: { answers } } as const
  expect(() => mergeConfig([file])).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  expect(() => mergeConfig([file])).toThrow(words)
})

test("a project's rules count only when a person approved them, and are shown without anything a terminal obeys", () => {
  const content = { answers: [{ match: '\u009bm\u202e', answer: 'yes' }] }
  const project = (approval: 'new' | 'approved') => [{ file: '.holdfast/config.yaml', approval, content }]
  expect(() => mergeConfig(project('new'))).toThrow(expect.objectContaining({ code: 'NOT_TRUSTED' }))
  const { config } = mergeConfig(project('approved'))
  expect(config.answers).toHaveLength(1)
  expect(answerRulesText(config.answers)).toMatch(/^[\x20-\x7e]+$/)
})
