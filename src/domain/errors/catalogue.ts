// Owns every error that a person or program can get: exit code, HTTP status and hint. docs/errors.md explains each, in this
// order. The catalogue has a file for each subject.

import { agentErrors } from './agent-errors.ts'
import { machineErrors } from './machine-errors.ts'
import { messageErrors } from './message-errors.ts'
import { notifyErrors } from './notify-errors.ts'
import { permissionErrors } from './permission-errors.ts'
import { sessionErrors } from './session-errors.ts'
import { triggerErrors } from './trigger-errors.ts'
import { webErrors } from './web-errors.ts'

export const errorCatalogue = {
  ...sessionErrors,
  ...agentErrors,
  ...messageErrors,
  ...permissionErrors,
  ...machineErrors,
  ...triggerErrors,
  ...webErrors,
  ...notifyErrors,
  INTERRUPTED: { exit: 130, http: 499, hint: 'Nothing was stopped; the task goes on. See `holdfast list`.' },
  INTERNAL: { exit: 2, http: 500, hint: 'This is a bug in Holdfast: please report it with daemon.log.' },
} as const
export type ErrorCode = keyof typeof errorCatalogue
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorCatalogue, value)
