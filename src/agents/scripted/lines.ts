import type { Lines } from '../../ports/run/agent-driver.ts'

/** What `--converse` reads on stdin. */
export const scriptedLines: Lines = {
  prompt: ({ ref, text }) => line({ type: 'prompt', ref, text }),
  answer({ ref, options }, { option, text }) {
    const answer = option === null ? text : options[option]
    return answer === undefined ? null : line({ type: 'answer', ref, answer })
  },
}

const line = (said: object) => `${JSON.stringify(said)}\n`
