// Owns what of a task's environment reaches the commands of its contract: they run code that an agent wrote.

type Env = Readonly<Record<string, string>>

/** An author is no authorisation. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH(?!OR)|COOKIE/i
/** `postgres://user:secret@host`: a password, whatever the variable is called. */
const SECRET_VALUE = /:\/\/[^\s/@]*:[^\s/@]*@/

/** `own` are the agent's own variables, such as `ANTHROPIC_*`. */
export function verifyEnv(env: Env, own: readonly string[]): Record<string, string> {
  const isOwn = (name: string) =>
    own.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern))
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => !SECRET_NAME.test(name) && !SECRET_VALUE.test(value) && !isOwn(name),
    ),
  )
}
