import { ask, type Cast, lines, paste, press, see } from './scenario.ts'

const OVER = /^✻ \S+ for /m
const QUESTION = JSON.stringify({
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      multiSelect: false,
      options: [
        { label: 'Red', description: 'the red one' },
        { label: 'Blue', description: 'the blue one' },
      ],
    },
  ],
})
const patient = { CLAUDE_CODE_MAX_RETRIES: '10' }
const unasked = ['--allowedTools=Bash']

export const claude: Cast = {
  kind: 'claude',
  argv: () => ['claude', '--permission-mode=manual', '--session-id=11111111-2222-4333-8444-555555555555'],
  ready: /^❯[\s\S]*manual mode on/m,
  scenarios: [
    { name: 'idle--fresh', steps: [see(/shortcuts/)] },
    { name: 'idle--wide', wide: true, steps: [see(/shortcuts/)] },
    { name: 'idle--draft', steps: [paste('unsent words'), see(/❯\s*unsent words/)] },
    { name: 'idle--draft-of-three-lines', steps: [paste('b-first\nb-second\nb-third'), see(/b-third/)] },
    { name: 'idle--big-paste', steps: [paste(lines(150)), see(/\[Pasted text #1 \+149 lines\]/)] },
    { name: 'idle--finished', steps: [...ask('DO:text{Said at once.}'), see(OVER)] },
    {
      name: 'idle--interrupted-prompt-is-back',
      steps: [...ask('DO:hang{40}'), see(/esc to interrupt/), press('Escape'), see(/❯\s*DO:hang\{40\}\n─/)],
    },
    {
      name: 'idle--interrupted-tool',
      args: unasked,
      steps: [
        ...ask('DO:shell{tail -f /dev/null}'),
        see(/⎿ +\$ tail -f/),
        press('Escape'),
        see(/Interrupted ·/),
      ],
    },
    { name: 'working--thinking', steps: [...ask('DO:hang{60}'), see(/\S…/), see(/esc to interrupt/)] },
    {
      name: 'working--wide',
      wide: true,
      steps: [...ask('DO:hang{60}'), see(/\S…/), see(/esc to interrupt/)],
    },
    {
      name: 'working--tool',
      args: unasked,
      steps: [...ask('DO:shell{tail -f /dev/null}'), see(/⎿ +\$ tail -f/)],
    },
    { name: 'working--retrying', env: patient, steps: [...ask('DO:http{500}'), see(/Retrying in/)] },
    {
      name: 'working--retrying-overloaded',
      env: patient,
      steps: [...ask('DO:http{529}'), see(/Retrying in/)],
    },
    { name: 'asking--command', steps: [...ask('DO:shell{touch claude-perm.txt}'), see(/Esc to cancel/)] },
    {
      name: 'asking--wide-command',
      wide: true,
      steps: [...ask('DO:shell{touch x.txt}'), see(/Esc to cancel/)],
    },
    { name: 'asking--new-file', steps: [...ask('DO:write{claude-wrote.txt}'), see(/Esc to cancel/)] },
    {
      name: 'asking--question',
      steps: [...ask(`DO:tool{AskUserQuestion|${QUESTION}}`), see(/Enter to select/)],
    },
    { name: 'error--bad-key', steps: [...ask('DO:badkey'), see(OVER)] },
    { name: 'error--overloaded', steps: [...ask('DO:http{529}'), see(OVER)] },
    { name: 'error--refused-request', steps: [...ask('DO:http{400}'), see(OVER)] },
    { name: 'limit--rate', steps: [...ask('DO:usage'), see(OVER)] },
    {
      name: 'exited--at-the-shell',
      steps: [
        ...ask('DO:text{Said at once.}'),
        see(OVER),
        press('C-c'),
        see(/again to exit/),
        press('C-c'),
        see(/SHELL\$/),
      ],
    },
  ],
}
