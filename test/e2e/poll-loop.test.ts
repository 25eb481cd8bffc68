// The loop of programs that were written for session-manager.sh: create, poll while RUNNING, read result.json.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recovering, untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { CLI, finished, type World } from '../helpers/world.ts'

/** As people have it in their scripts; only the prompt file is the test's own. */
const LOOP = `
# Planning agent spawns Grafana validator
SESSION_ID=$(./scripts/ops/session-manager.sh create grafana-agent validate-grafana.md | grep "Session created:" | awk '{print $3}')

# Planning agent monitors completion
while [[ $(./scripts/ops/session-manager.sh status "$SESSION_ID" --json | jq -r '.status') == "RUNNING" ]]; do
  sleep 5
done

# Planning agent reads result
RESULT=$(cat "docs/.scratch/sessions/$SESSION_ID/result.json")
echo "Grafana validation: $(echo "$RESULT" | jq -r '.status')"

# Archive session if successful
if [[ $(echo "$RESULT" | jq -r '.status') == "success" ]]; then
  mv "docs/.scratch/sessions/$SESSION_ID" "docs/.scratch/archive/sessions/"
fi
`

test('a poll loop on RUNNING gets its result, though the task crashed and waited for its slot', async () => {
  const world = await recovering('maxConcurrent: 1\n')
  layOut(world)
  writeFileSync(
    join(world.project, 'validate-grafana.md'),
    'do: say I look\ndo: wait-for crash\ndo: crash-lives 1 KILL\ndo: finish Grafana is up\n',
  )
  const loop = startLoop(world)
  const said = finished(loop)
  const id = await waitFor('the task', () => newestId(world))
  await untilPhase(world, id, 'working')
  const hasty = await world.run('do: wait-for release\ndo: finish ok', '--priority', 'high')
  writeFileSync(join(world.project, 'crash'), '')
  const waiting = await untilPhase(world, id, 'queued')
  expect(waiting).toMatchObject({ status: 'RUNNING', task_status: 'pending' })
  const written = await waitFor('state.json to follow', () =>
    stateFile(world, id).phase === 'queued' ? stateFile(world, id) : undefined,
  )
  expect(written).toMatchObject({ status: 'RUNNING', task_status: 'pending' })
  const before = polls(world)
  await waitFor('the loop to look again', () => polls(world) > before + 1)
  const listed = async (status: string) =>
    (await world.json<{ tasks: { session_id: string }[] }>(['list', '--status', status])).tasks.map(
      ({ session_id }) => session_id,
    )
  expect((await listed('RUNNING')).sort()).toEqual([id, hasty].sort())
  expect(await listed('created')).toEqual([])
  expect(await listed('Queued')).toEqual([id])
  writeFileSync(join(world.project, 'release'), '')
  expect(await said).toMatchObject({ code: 0, stdout: 'Grafana validation: success\n' })
  const kept = join(world.project, '.holdfast/archive/sessions', id, 'result.json')
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({ result: 'Grafana is up' })
})

/** session-manager.sh is this CLI; its scratch directory is ours; `sleep` tells that it was called, and is short. */
function layOut({ project, root }: World): void {
  for (const dir of ['scripts/ops', 'docs', 'agents/grafana-agent', '.holdfast/archive/sessions'])
    mkdirSync(join(project, dir), { recursive: true })
  mkdirSync(join(root, 'bin'))
  symlinkSync('../.holdfast', join(project, 'docs/.scratch'))
  program(join(project, 'scripts/ops/session-manager.sh'), `exec '${process.execPath}' '${CLI}' "$@"`)
  program(join(root, 'bin/sleep'), `echo "$1" >>'${root}/polls'; exec /bin/sleep 0.2`)
  writeFileSync(
    join(project, 'agents/grafana-agent/grafana-agent-agent.md'),
    '---\ndescription: Validates Grafana\nagent: scripted\n---\nYou validate.\n',
  )
}

function program(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`)
  chmodSync(path, 0o755)
}

function startLoop({ project, root, env }: World) {
  const path = `${root}/bin:${env.PATH}`
  return spawn('bash', ['-c', LOOP], { cwd: project, env: { ...env, PATH: path } })
}

const polls = ({ root }: World) => readFileSync(join(root, 'polls'), 'utf8').split('\n').length

const newestId = async (world: World) =>
  (await world.json<{ tasks: { session_id: string }[] }>(['list'])).tasks[0]?.session_id

const stateFile = ({ project }: World, id: string) =>
  JSON.parse(readFileSync(join(project, '.holdfast/sessions', id, 'state.json'), 'utf8'))
