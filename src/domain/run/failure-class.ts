/**
 * Why an agent failed. `permanent`: a person is needed. `transient`: passes by itself. `environment`: a fault of the
 * machine or the network. `limit`: a usage limit. `crash`: a fault of the agent itself.
 */
export const FAILURE_CLASSES = ['permanent', 'transient', 'environment', 'limit', 'crash'] as const
export type FailureClass = (typeof FAILURE_CLASSES)[number]
