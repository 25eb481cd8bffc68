// Owns which of a task's environment variables reach the commands of its contract. Secrets do not, because these commands
// run code that an agent wrote.

type Env = Readonly<Record<string, string>>

/** `AUTHOR`, as in `GIT_AUTHOR_NAME`, is no secret; `AUTHORIZATION` is one. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH(?!OR)|AUTHORI[SZ]|COOKIE/i
/**
 * A URL with a password, as in `postgres://user:secret@host`, is a secret whatever the variable is called. So is a web
 * address with anything before `@`: that is often a token alone. Elsewhere a name alone, as in `ssh://git@host`, is not.
 */
const SECRET_VALUE = /:\/\/[^\s/@:]*:[^\s/@]*@|https?:\/\/[^\s/@?#]+@/i

/** `own`: the agent's own variables, such as `ANTHROPIC_*`, which are left out, too. */
export function verifyEnv(env: Env, own: readonly string[]): Record<string, string> {
  const isOwn = (name: string) =>
    own.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern))
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => !SECRET_NAME.test(name) && !SECRET_VALUE.test(value) && !isOwn(name),
    ),
  )
}
