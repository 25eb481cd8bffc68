/** Whether a failed system call failed in one of these ways. */
export const isErrno = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && codes.includes(String((error as NodeJS.ErrnoException).code))
