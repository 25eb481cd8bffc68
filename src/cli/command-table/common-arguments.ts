// Owns arguments and options that several commands take.

export const id = {
  name: 'id',
  about: 'A session: its id, its name, a part of its id that no other session has, or `last`.',
} as const
export const dir = {
  name: 'dir',
  value: 'DIR',
  about: 'A directory of the project.',
  default: 'here',
} as const
export const projectOnly = {
  name: 'project-only',
  about: 'Only sessions of the project you are in.',
} as const
