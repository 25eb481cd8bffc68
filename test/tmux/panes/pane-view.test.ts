import { expect, test } from 'vitest'
import { parseView } from '../../../src/tmux/panes/pane-view.ts'

test('a title of several lines leaves the screen alone', () => {
  const lines = ['0:0:p:e:c:n:77.0:100:@1:1:2:3:first', ' second:', 'top', '', '']
  expect(parseView(lines)).toMatchObject({ title: 'first\n second:', text: 'top', pasted: 'p', pressed: 'e' })
})
