// What the tasks of a soak do, how each is tended, and how it has to end. `line(n)`: a step that must be done once.

/** Seconds, with one digit. */
const some = (roll, most) => (roll(most * 10) / 10).toFixed(1)

export const kinds = {
  plain: {
    steps: ({ roll, line }) => [
      line(1),
      `wait ${some(roll, 3)}`,
      'say half',
      line(2),
      `wait ${some(roll, 3)}`,
      line(3),
    ],
  },
  tools: {
    steps: ({ roll, line }) => [
      line(1),
      `tool ${some(roll, 4)} build`,
      line(2),
      'tool-detached 2',
      line(3),
      `tool ${some(roll, 2)} test`,
    ],
  },
  crashing: {
    steps: ({ line }) => [line(1), 'crash 3', line(2), 'wait 0.5', 'crash SEGV', line(3)],
  },
  limited: {
    steps: ({ roll, line }) => [line(1), `limit ${1 + roll(3)}`, 'wait 0.5', line(2)],
  },
  failing: {
    steps: ({ line }) => [line(1), 'wait 1', line(2), 'fail on purpose'],
    ends: 'FAILED',
  },
  conversing: {
    flags: ['--converse'],
    steps: ({ line }) => [line(1), 'wait 1'],
    further: ({ line }) => [[line(2), 'wait 1'], [line(3)]],
  },
  asking: {
    flags: ['--converse'],
    steps: ({ line }) => [line(1), 'ask Which colour? | red | blue', line(2), 'wait 0.5'],
    further: () => [],
  },
  interactive: {
    flags: ['--mode', 'interactive'],
    steps: ({ roll, line }) => [line(1), `wait ${some(roll, 3)}`, line(2), `wait ${some(roll, 2)}`, line(3)],
    further: ({ line }) => [[line(4)]],
    ends: 'KILLED',
  },
  // Leaves in order, with exit code 0, when its terminal goes away.
  'interactive, polite': {
    flags: ['--mode', 'interactive'],
    steps: ({ roll, line }) => ['heed-hup', line(1), `wait ${some(roll, 4)}`, line(2)],
    further: ({ line }) => [[line(3), 'wait 1'], [line(4)]],
    ends: 'KILLED',
  },
  'interactive, tools': {
    flags: ['--mode', 'interactive'],
    steps: ({ roll, line }) => [
      line(1),
      `tool ${some(roll, 4)} build`,
      line(2),
      `tool ${some(roll, 3)} test`,
      line(3),
    ],
    further: () => [],
    ends: 'KILLED',
  },
  'interactive, talking': {
    flags: ['--mode', 'interactive'],
    steps: ({ line }) => [line(1), 'wait 1'],
    further: ({ roll, line }) => [[line(2), `wait ${some(roll, 3)}`], [line(3), 'wait 1'], [line(4)]],
    ends: 'KILLED',
  },
}

/** The number of a task makes its kind, name, file and lines. */
export function makeStory(number, { roll, pick }) {
  const kind = pick(Object.keys(kinds))
  const name = `soak-${number}`
  const lines = []
  const line = (n) => {
    const text = `${name} line ${n}`
    lines.push(text)
    return `append work/${name}.txt ${text}`
  }
  const { steps, further, flags = [], ends = 'COMPLETED' } = kinds[kind]
  const script = (all) => all.map((step) => `do: ${step}`).join('\n')
  return {
    number,
    kind,
    name,
    flags,
    ends,
    prompts: [
      script([`say ${name} begins`, ...steps({ roll, line })]),
      ...(further?.({ roll, line }) ?? []).map((more, n) => script([`say ${name} turn ${n + 2}`, ...more])),
    ],
    isOpen: further !== undefined,
    isTerminal: flags.includes('interactive'),
    lines,
  }
}
