import { ask, type Cast, paste, press, see } from './scenario.ts'

const OVER = /Worked for/
const asking = (cmd: string) =>
  ask(
    `DO:tool{exec_command|${JSON.stringify({ cmd, sandbox_permissions: 'require_escalated', justification: 'May I?' })}}`,
  )
const anyCommand = ['--dangerously-bypass-approvals-and-sandbox']
const patient = ['-c', 'model_providers.lab.stream_max_retries=10']

export const codex: Cast = {
  kind: 'codex',
  argv: () => ['codex', '--no-daemon'],
  ready: /Ask Codex to do anything[\s\S]*lab-model/,
  scenarios: [
    { name: 'idle--new-session', steps: [see(/for shortcuts/)] },
    { name: 'idle--new-session-wide', wide: true, steps: [see(/for shortcuts/)] },
    { name: 'idle--draft', steps: [paste('half typed by a human'), see(/› half typed by a human/)] },
    {
      name: 'idle--draft-of-three-lines',
      steps: [paste('first line alpha\nsecond line beta\nthird line gamma'), see(/third line gamma/)],
    },
    {
      name: 'idle--big-paste',
      steps: [paste('words '.repeat(822).slice(3)), see(/\[Pasted Content 4929 chars\]/)],
    },
    { name: 'idle--finished', steps: [...ask('DO:text{SLOW REPLY after 5s}'), see(OVER)] },
    { name: 'idle--finished-wide', wide: true, steps: [...ask('DO:text{Said at once.}'), see(OVER)] },
    {
      name: 'idle--interrupted',
      steps: [
        ...ask('DO:hang{30}'),
        see(/esc to interrupt/),
        press('Escape'),
        see(/Conversation interrupted/),
      ],
    },
    { name: 'working--thinking', steps: [...ask('DO:hang{60}'), see(/Working \(/)] },
    { name: 'working--thinking-wide', wide: true, steps: [...ask('DO:hang{60}'), see(/Working \(/)] },
    {
      name: 'working--background-terminal',
      args: anyCommand,
      steps: [...ask('DO:shell{tail -f /dev/null}'), see(/1 background terminal running/)],
    },
    { name: 'working--reconnecting', args: patient, steps: [...ask('DO:http{500}'), see(/Reconnecting/)] },
    { name: 'asking--command', steps: [...asking('echo escalated-ok'), see(/Press enter to confirm/)] },
    {
      name: 'asking--command-wide',
      wide: true,
      steps: [...asking('touch esc.txt'), see(/Press enter to confirm/)],
    },
    { name: 'error--high-demand', steps: [...ask('DO:http{500}'), see(/^■ We’re/m)] },
    { name: 'error--refused-request', steps: [...ask('DO:http{400}'), see(/^■ /m)] },
    { name: 'error--bad-key', steps: [...ask('DO:badkey'), see(/^■ /m)] },
    { name: 'limit--usage', steps: [...ask('DO:usage{60}'), see(/^■ You’ve hit/m)] },
    { name: 'limit--usage-wide', wide: true, steps: [...ask('DO:usage{400000}'), see(/^■ You’ve hit/m)] },
    {
      name: 'exited--no-daemon',
      steps: [...ask('DO:text{Said at once.}'), see(OVER), press('C-c'), see(/SHELL\$/)],
    },
  ],
}
