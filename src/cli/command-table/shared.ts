// Owns what several commands take.

export const id = { name: 'id', about: 'A session id, or the beginning of one.' } as const
export const dir = { name: 'dir', value: 'DIR', about: 'The project to look from.', default: 'here' } as const
export const projectOnly = {
  name: 'project-only',
  about: 'Only sessions of the project you are in.',
} as const
