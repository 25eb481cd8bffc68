// Owns what a person would do for the tasks of a soak: start, answer, go on talking, end. Everything may fail half way and is looked at again.

export async function startTask(story, world) {
  const args = ['run', '--name', story.name, '--file', '-', ...story.flags]
  const { ok, said } = await world.cli(args, story.prompts[0])
  if (ok) return said.task.session_id
  // Nobody knows whether it was taken: what was is in the list, once there is somebody to ask.
  const named = new RegExp(`-${story.name}(-\\d+)?$`)
  const { tasks } = await listed(world)
  return tasks.find(({ session_id }) => named.test(session_id))?.session_id
}

async function listed(world) {
  for (;;) {
    const list = await world.get('/api/tasks')
    if (list !== undefined) return list
    await world.cli(['up'])
  }
}

/** One look at one task. */
export async function tend(task, world, counts) {
  const status = await world.get(`/api/tasks/${task.id}`)
  if (status === undefined) return
  task.status = status.status
  task.phase = status.phase
  task.run = status.run_id
  const { story } = task
  if (status.completed_at !== null) return bringBack(task, status, world, counts)
  const [question] = status.questions
  if (question !== undefined) return answer(task, question, world, counts)
  if (story.isOpen && status.phase === 'idle') return goOn(task, status, world)
}

/** One whose tool was killed says that it failed: a person has it go on. */
async function bringBack(task, { status, reason }, world, counts) {
  task.over = status === task.story.ends || status !== 'FAILED' || !task.toolKilled
  if (task.over) return
  task.toolKilled = false
  if ((await world.cli(['resume', task.id])).ok) counts.broughtBack++
  else task.reason = reason
}

async function answer(task, { number, options, question }, world, counts) {
  const choice = options.find((option) => /^(blue|resume|retry)$/.test(option)) ?? options[0]
  const { ok } = await world.cli(['answer', task.id, choice, '--question', String(number)])
  if (!ok) return
  if (question.startsWith('Which colour')) counts.answered++
  else {
    counts.decided++
    counts.asked.push(question)
  }
}

/** Idle: it has done what it was told. */
async function goOn(task, { inputs }, world) {
  const { story } = task
  const next = story.prompts.slice(1).find((prompt) => !inputs.some(({ text }) => isSame(text, prompt)))
  if (next !== undefined) return world.cli(['send', task.id, '--file', '-'], next)
  if (inputs.some(({ said, kind }) => kind === 'prompt' && !said)) return
  if (story.ends === 'KILLED') return world.cli(['kill', task.id, '--force'])
  if (!inputs.some(({ kind }) => kind === 'end')) return world.cli(['send', task.id, '--end'])
}

/** Shown cut. */
const isSame = (shown, prompt) => prompt.startsWith(shown.replace(/…$/, '').slice(0, 150))
