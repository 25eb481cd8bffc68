import { scriptedAgent } from '../../helpers/scripted-agent.ts'
import { ask, type Cast, paste, press, see } from './scenario.ts'

const numbered = Array.from({ length: 200 }, (_, at) => `line ${at + 1}`).join('\n')

export const scripted: Cast = {
  kind: 'scripted',
  argv: async () => [
    ...(await scriptedAgent()),
    ...['--tui', '--status-clock', '--session-id', '0a1b2c3d-0000-4000-8000-000000000001'],
  ],
  ready: /^Idle$/m,
  scenarios: [
    { name: 'idle--fresh', steps: [see(/ctx/)] },
    { name: 'idle--wide', wide: true, steps: [see(/ctx/)] },
    { name: 'idle--draft', steps: [paste('half typed by a human'), see(/> half typed by a human/)] },
    {
      name: 'idle--draft-of-three-lines',
      steps: [paste('first line\n\nthird líne 🙂 漢字'), see(/third líne/)],
    },
    { name: 'idle--big-paste', steps: [paste(numbered), see(/line 200/)] },
    { name: 'idle--finished', steps: [...ask('do: finish All green'), see(/✓ All green/)] },
    { name: 'idle--failed', steps: [...ask('do: fail It broke'), see(/✗ It broke/)] },
    {
      name: 'idle--interrupted',
      steps: [...ask('do: hang'), see(/Working/), press('Escape'), see(/^Idle$/m)],
    },
    { name: 'working--waiting', steps: [...ask('do: wait-for go'), see(/Working/)] },
    { name: 'working--wide', wide: true, steps: [...ask('do: wait-for go'), see(/Working/)] },
    { name: 'working--tool', steps: [...ask('do: tool 60 npm test'), see(/Working/)] },
    {
      name: 'asking--dialog',
      steps: [...ask('do: ask Which colour? | red | green | blue'), see(/❯ 1\. red/)],
    },
    {
      name: 'asking--wide',
      wide: true,
      steps: [
        ...ask('do: ask Run rm -rf build? | Yes | Yes, always | No, and say what to do instead'),
        see(/❯ 1\. Yes/),
      ],
    },
    { name: 'asking--free-text', steps: [...ask('do: ask Your name?'), see(/^Asking: Your name/m)] },
    { name: 'limit--usage', steps: [...ask('do: limit 3600'), see(/^Limit:/m)] },
    {
      name: 'exited--at-the-shell',
      steps: [
        ...ask('do: finish All green'),
        see(/✓ All green/),
        press('C-c'),
        see(/again/i),
        press('C-c'),
        see(/SHELL\$/),
      ],
    },
  ],
}
