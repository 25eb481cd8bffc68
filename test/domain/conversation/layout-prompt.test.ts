import { expect, test } from 'vitest'
import { layoutPrompt } from '../../../src/domain/conversation/layout-prompt.ts'
import { asTaskId } from '../../../src/domain/names/ids.ts'

const id = asTaskId('20251118-153042-x')
const none = { persona: null, restrictions: [] }

test('without a persona the task stands alone, byte for byte', () => {
  const prompt = '  $(rm) `x` "\'\\\x1b\r\n\n'
  expect(layoutPrompt(id, { ...none, prompt })).toBe(prompt)
})

test('persona and task are laid out as the handoff protocol says', () => {
  expect(layoutPrompt(id, { ...none, persona: 'You check.', prompt: 'Check it.\n' })).toBe(
    'You check.\n\n---\n\n**TASK DELEGATION**:\n\nCheck it.\n',
  )
})

test('restrictions are stated as a list before the task', () => {
  expect(layoutPrompt(id, { persona: 'P', restrictions: ['No git', 'Not\n src/'], prompt: 'Go' })).toBe(
    'P\n\n---\n\n**TASK DELEGATION**:\n\n**RESTRICTIONS**:\n\n- No git\n- Not src/\n\nGo',
  )
})

test('restrictions are stated without a persona too', () => {
  expect(layoutPrompt(id, { ...none, restrictions: ['No git'], prompt: 'Go' })).toBe(
    '**RESTRICTIONS**:\n\n- No git\n\nGo',
  )
})

test('the session id is filled in wherever it is asked for', () => {
  const parts = {
    persona: 'I am <session-id>',
    restrictions: ['stay in <session-id>'],
    prompt: '<session-id>/<session-id>',
  }
  expect(layoutPrompt(id, parts)).not.toContain('<session-id>')
  expect(layoutPrompt(id, parts).split(id)).toHaveLength(5)
})
