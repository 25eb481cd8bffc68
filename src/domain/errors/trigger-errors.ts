// Errors of prompts on their way to an agent. A part of the catalogue.

export const triggerErrors = {
  TRIGGER_NOT_FOUND: { exit: 1, http: 404, hint: 'See the triggers with `holdfast trigger list`.' },
  TARGET_NOT_FOUND: {
    exit: 1,
    http: 404,
    hint: 'The session it was for has ended: `holdfast resume <id>` brings it back, and the prompt is sent then.',
  },
  PANE_DEAD: {
    exit: 2,
    http: 409,
    hint: 'The agent had died; it is resumed with the prompt. Follow it with `holdfast trigger show <id>`.',
  },
  SEND_KEYS_ERROR: {
    exit: 2,
    http: 503,
    hint: 'tmux could not be asked to type; it is tried again. See `holdfast doctor`.',
  },
  ACK_TIMEOUT: {
    exit: 2,
    http: 504,
    hint: 'The agent did not confirm the prompt in time. `holdfast trigger show <id>` says what follows.',
  },
  OPERATOR_BUSY: {
    exit: 2,
    http: 409,
    hint: 'Somebody types in its terminal: leave the keys alone for a while, or send or delete the unsent text there.',
  },
  TRIGGER_RATE_LIMITED: {
    exit: 2,
    http: 429,
    hint: 'Nothing is to be done: it is given to the agent when its time comes. `trigger.ratePerThread` and `trigger.ratePerAgent` say how often messages, and prompts of agents, may wake agents.',
  },
  DEFER_TIMEOUT: {
    exit: 2,
    http: 409,
    hint: 'The terminal stayed in use. The prompt still waits: `holdfast attach <id>`, then send or delete the text in its box.',
  },
  RESUME_FAILED: {
    exit: 2,
    http: 409,
    hint: 'The agent was resumed with the prompt and still did not take it. A runtime gets it in a new session; elsewhere look with `holdfast why <id>`, then send it again.',
  },
  SPAWN_FAILED: {
    exit: 2,
    http: 409,
    hint: 'A new session of the runtime could not be started, or did not take the prompt either. See `holdfast why <id>` and `holdfast screen <id>`, then answer its question or send the prompt again.',
  },
  ACK_REFUSED: {
    exit: 1,
    http: 403,
    hint: 'A prompt is acknowledged by the run that received it, or by the run that resumed it.',
  },
} as const
