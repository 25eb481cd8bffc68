/** The states that the list can be narrowed to. `status`: statuses and phases, as the daemon takes them. */
export const STATES = [
  { name: 'All', status: undefined },
  { name: 'Needs you', status: 'waiting_input' },
  // A task that is silent counts as at work while Holdfast looks after it.
  { name: 'At work', status: 'starting,working,stuck,verifying' },
  { name: 'Waiting', status: 'queued,idle,backing_off,parked,waiting' },
  { name: 'Done', status: 'completed' },
  { name: 'Failed', status: 'failed' },
  { name: 'Killed', status: 'cancelled' },
] as const
