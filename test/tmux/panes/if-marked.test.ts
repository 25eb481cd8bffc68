import { expect, test } from 'vitest'
import { asPaneId } from '../../../src/domain/names/ids.ts'
import { ifMarked } from '../../../src/tmux/panes/if-marked.ts'
import { startTerminal } from '../../helpers/tmux-server.ts'

test('the server itself refuses to act on a pane id that now belongs to another run', async () => {
  const { terminal, tmux, dir } = await startTerminal()
  const pane = await terminal.open({ task: 's', mark: 'new-run', argv: ['sleep', '1000'], cwd: dir })
  const kill = ['kill-session', '-t', '=hf-s']
  tmux(...ifMarked({ pane, mark: 'old-run' }, kill))
  tmux(...ifMarked({ pane: asPaneId('%999'), mark: 'new-run' }, kill))
  expect(await terminal.panes()).toHaveLength(1)
  tmux(...ifMarked({ pane, mark: 'new-run' }, kill))
  expect(await terminal.panes()).toEqual([])
})
