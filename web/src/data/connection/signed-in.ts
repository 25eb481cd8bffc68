// Owns the news that the daemon does not know this browser any more. An open stream does not tell: it was let in before.
let listener = () => {}

export function onSignedOut(then: () => void): void {
  listener = then
}

/** `status`: of any answer. */
export function hearSignedIn(status: number): void {
  if (status === 401) listener()
}
