// Settings for one run of Codex, as `-c key=value` with a value in TOML.
export const setting = (key: string, toml: string) => ['-c', `${key}=${toml}`]

export const inlineTable = (entries: readonly (readonly [string, string])[]) =>
  `{${entries.map(([key, toml]) => `${quoted(key)}=${toml}`).join(',')}}`

export const list = (texts: readonly string[]) => `[${texts.map(quoted).join(',')}]`

/** A TOML string is written as a JSON string, except for DEL and lone surrogates. */
export const quoted = (text: string) =>
  JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('\x7f', '\\u007f')
