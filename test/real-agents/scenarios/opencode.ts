import { ask, type Cast, lines, paste, press, see } from './scenario.ts'

const OVER = /▣ .* · [\d.]+s/
const WORKING = /esc interrupt/
const asks = { OPENCODE_PERMISSION: JSON.stringify({ bash: 'ask', edit: 'ask' }) }
const QUESTION = JSON.stringify({
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      options: [
        { label: 'Red', description: 'the red one' },
        { label: 'Blue', description: 'the blue one' },
      ],
    },
  ],
})

export const opencode: Cast = {
  kind: 'opencode',
  argv: () => ['opencode'],
  ready: /Ask anything[\s\S]*commands/,
  scenarios: [
    { name: 'idle--home', steps: [see(/1\.\d+\.\d+\s*$/)] },
    { name: 'idle--home-wide', wide: true, steps: [see(/1\.\d+\.\d+\s*$/)] },
    { name: 'idle--unsent', steps: [paste('half typed by a human'), see(/half typed by a human/)] },
    {
      name: 'idle--draft-of-three-lines',
      steps: [
        ...[paste('b-first'), see(/b-first/), press('C-j')],
        ...[paste('b-second'), see(/b-second/), press('C-j')],
        ...[paste('b-third'), see(/b-third/)],
      ],
    },
    { name: 'idle--paste-of-three-lines', steps: [paste('one\ntwo\nthree'), see(/\[Pasted ~3 lines\]/)] },
    { name: 'idle--big-paste', steps: [paste(lines(150)), see(/\[Pasted ~150 lines\]/)] },
    { name: 'idle--finished', steps: [...ask('DO:slow{1}'), see(OVER)] },
    { name: 'idle--finished-wide', wide: true, steps: [...ask('DO:text{Said at once.}'), see(OVER)] },
    {
      name: 'idle--interrupted',
      steps: [
        ...ask('DO:hang{60}'),
        see(WORKING),
        press('Escape'),
        see(/again to interrupt/),
        press('Escape'),
        see(/· interrupted/),
      ],
    },
    { name: 'working--thinking', steps: [...ask('DO:hang{60}'), see(WORKING)] },
    { name: 'working--wide', wide: true, steps: [...ask('DO:hang{60}'), see(WORKING)] },
    { name: 'working--tool', steps: [...ask('DO:shell{tail -f /dev/null}'), see(/^ +\$ tail -f/m)] },
    { name: 'working--retrying', steps: [...ask('DO:http{500}'), see(/retrying in/)] },
    {
      name: 'asking--command',
      env: asks,
      steps: [...ask('DO:shell{touch oc-perm2.txt}'), see(/Permission required/)],
    },
    {
      name: 'asking--command-wide',
      wide: true,
      env: asks,
      steps: [...ask('DO:shell{touch x}'), see(/Permission required/)],
    },
    {
      name: 'asking--question',
      steps: [
        paste(`DO:tool{question|${QUESTION}}`),
        see(/\[Pasted ~1 lines\]/),
        press('Enter'),
        see(/enter submit/),
      ],
    },
    { name: 'error--bad-key-with-notice', steps: [...ask('DO:badkey'), see(/DO:badkey +┃/)] },
    { name: 'error--bad-key', steps: [...ask('DO:badkey'), see(/DO:badkey\n[\s\S]*Incorrect API key/)] },
    { name: 'limit--retrying', steps: [...ask('DO:usage'), see(/limit has been reached.*retrying/)] },
    {
      name: 'exited--at-the-shell',
      steps: [...ask('DO:text{Said at once.}'), see(OVER), press('C-c'), see(/SHELL\$/)],
    },
  ],
}
