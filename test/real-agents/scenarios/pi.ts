import { ask, type Cast, lines, paste, press, see } from './scenario.ts'

const SPENT = /Retry failed after 3 attempts/

export const pi: Cast = {
  kind: 'pi',
  argv: () => ['pi'],
  // Enter does nothing before it has set its title.
  ready: /^π - project\n[\s\S]*lab-model/,
  scenarios: [
    { name: 'idle--fresh', steps: [see(/pi v/)] },
    { name: 'idle--wide', wide: true, steps: [see(/pi v/)] },
    {
      name: 'idle--draft-of-a-person',
      steps: [paste('half typed by a human'), see(/half typed by a human/)],
    },
    {
      name: 'idle--wide-with-draft',
      wide: true,
      steps: [paste('draft of a person'), see(/draft of a person/)],
    },
    { name: 'idle--draft-of-three-lines', steps: [paste('b-first\nb-second\nb-third'), see(/b-third/)] },
    { name: 'idle--big-paste', steps: [paste(lines(150)), see(/\[paste #1 \+150 lines\]/)] },
    { name: 'idle--finished', steps: [...ask('DO:text{Said at once.}'), see(/^ Said at once/m)] },
    {
      name: 'idle--interrupted',
      steps: [...ask('DO:hang{30}'), see(/Working/), press('Escape'), see(/Operation aborted/)],
    },
    { name: 'working--thinking', steps: [...ask('DO:hang{60}'), see(/Working/)] },
    {
      name: 'working--wide-with-draft',
      wide: true,
      steps: [...ask('DO:hang{60}'), see(/Working/), paste('draft of a person'), see(/draft of a person/)],
    },
    { name: 'working--tool', steps: [...ask('DO:shell{tail -f /dev/null}'), see(/Elapsed/)] },
    { name: 'working--retrying', steps: [...ask('DO:http{500}'), see(/Retrying \(2\/3\)/)] },
    { name: 'error--server', steps: [...ask('DO:http{500}'), see(SPENT)] },
    { name: 'error--bad-key', steps: [...ask('DO:badkey'), see(/Incorrect API key/)] },
    { name: 'limit--usage', steps: [...ask('DO:usage'), see(SPENT)] },
    {
      name: 'exited--back-at-the-shell',
      steps: [...ask('DO:text{Said at once.}'), see(/^ Said at once/m), press('C-d'), see(/SHELL\$/)],
    },
  ],
}
