/** Why an agent failed: `permanent` needs a person, `transient` passes, `environment` is the machine's or network's, `crash` the agent's own. */
export const FAILURE_CLASSES = ['permanent', 'transient', 'environment', 'limit', 'crash'] as const
export type FailureClass = (typeof FAILURE_CLASSES)[number]
