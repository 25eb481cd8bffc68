// Errors of prompts, threads and messages. A part of the catalogue.

export const messageErrors = {
  PROMPT_NOT_FOUND: { exit: 1, http: 404, hint: 'Check the path: it must lead to a file with the prompt.' },
  PROMPT_EMPTY: { exit: 1, http: 400, hint: 'Write what the agent should do.' },
  PROMPT_TOO_LARGE: {
    exit: 1,
    http: 413,
    hint: 'Put the long text into a file in the project, and name that file in the prompt.',
  },
  PROMPT_NOT_TEXT: { exit: 1, http: 400, hint: 'Save the prompt as UTF-8 text.' },
  THREAD_NOT_FOUND: { exit: 1, http: 404, hint: 'See the threads with `holdfast thread list`.' },
  THREAD_AUTO_BLOCKED: {
    exit: 1,
    http: 409,
    hint: 'A person or the orchestrator reads it with `holdfast thread show <thread>` and lets it go on with `holdfast thread continue <thread>`.',
  },
  MESSAGE_EMPTY: { exit: 1, http: 400, hint: 'Write what the others should know.' },
  MESSAGE_TOO_LARGE: {
    exit: 1,
    http: 413,
    hint: 'Put the long text into a file in the project, and name that file with `--ref`.',
  },
  MESSAGE_NOT_TEXT: { exit: 1, http: 400, hint: 'Post UTF-8 text; name other files with `--ref`.' },
  INVALID_WORD: {
    exit: 1,
    http: 400,
    hint: 'Write it as one word without blanks, for example `review_done`.',
  },
  KEY_REUSED: {
    exit: 1,
    http: 409,
    hint: 'Use a key of its own for everything new; the same key always stands for the same thing.',
  },
} as const
