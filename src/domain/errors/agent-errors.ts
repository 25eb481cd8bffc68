// Errors of agents: their roles and runtimes, and what they cannot do. A part of the catalogue.

export const agentErrors = {
  RUNTIME_EXISTS: {
    exit: 1,
    http: 409,
    hint: 'See the runtimes with `holdfast runtime list`, or choose another name for the role.',
  },
  RUNTIME_NOT_FOUND: { exit: 1, http: 404, hint: 'See the runtimes with `holdfast runtime list`.' },
  RUNTIME_STOPPED: {
    exit: 1,
    http: 409,
    hint: 'Bring it back, in its session, with `holdfast runtime start <role>` in its workspace.',
  },
  RUNTIME_NOT_READY: {
    exit: 2,
    http: 504,
    hint: 'See its screen with `holdfast screen <runtime>` and what it waits for with `holdfast why <runtime>`.',
  },
  RUNTIME_STANDS: {
    exit: 1,
    http: 409,
    hint: '`holdfast runtime stop <runtime>` ends a runtime, `holdfast runtime start <role>` starts a stopped one, `holdfast runtime rm <runtime>` forgets it.',
  },
  REGISTRY_DRIFT: {
    exit: 2,
    http: 409,
    hint: 'Nothing is to be done: it is put right within seconds. See `holdfast runtime status <runtime>`.',
  },
  FALLBACK_REQUIRED: {
    exit: 1,
    http: 409,
    hint: 'Holdfast types only into agents that it started: start it with `holdfast runtime start <role>`.',
  },
  AMBIGUOUS_ID: { exit: 1, http: 409, hint: 'Write more of the id; `holdfast list` shows the ids.' },
  ROLE_NOT_FOUND: {
    exit: 1,
    http: 404,
    hint: 'See the roles with `holdfast roles`, or write agents/<role>/<role>-agent.md.',
  },
  ROLE_INVALID: { exit: 1, http: 400, hint: 'Correct the front matter of the role file named above.' },
  AGENT_UNKNOWN: { exit: 1, http: 400, hint: 'See the known agents with `holdfast agents`.' },
  AGENT_NOT_CHOSEN: {
    exit: 1,
    http: 400,
    hint: 'Choose one with `--agent <kind>`, or set `agent:` in ~/.config/holdfast/config.yaml.',
  },
  AGENT_NOT_INSTALLED: {
    exit: 1,
    http: 409,
    hint: 'Install it as shown above, or choose another agent with `--agent`; `holdfast agents` shows which are installed.',
  },
  AGENT_TOO_OLD: {
    exit: 1,
    http: 409,
    hint: 'Install it as shown above, or choose another agent with `--agent`; `holdfast agents` shows which are installed.',
  },
  NOT_ASKING: { exit: 1, http: 409, hint: 'See what the session is doing with `holdfast status <id>`.' },
  NOT_PARKED: { exit: 1, http: 409, hint: 'See which sessions wait, and for what, with `holdfast parks`.' },
  ALREADY_ANSWERED: { exit: 1, http: 409, hint: 'See what happened next with `holdfast status <id>`.' },
  ANSWER_INVALID: {
    exit: 1,
    http: 400,
    hint: 'Answer with one of the options: give its number or its text.',
  },
  AGENT_CANNOT: {
    exit: 1,
    http: 400,
    hint: 'Do without it, or choose another agent; docs/agents.md shows what each agent can do.',
  },
} as const
