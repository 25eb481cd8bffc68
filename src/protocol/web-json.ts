// Owns the JSON of the TCP port: whether it is open, links for browsers, and tokens for programs.

/** Absent: as it was, or as the settings say. `allow_remote`: also for an address that other machines can reach. */
export type OpenWebJson = { port?: number; host?: string; allow_remote?: boolean }

/** The TCP port of the page and the API. */
export type WebJson = {
  open: boolean
  /** Null while it is shut. */
  host: string | null
  port: number | null
  /** `http://…`, for a browser on the same machine; null while it is shut. */
  address: string | null
  /** Other machines can reach it. */
  remote: boolean
  /** Why it is shut although it should be open. */
  trouble: string | null
}
/** `path`: what follows the address. It works once, until `expires_at`. */
export type WebLinkJson = { web: WebJson; path: string; expires_at: string }

/** `expires_in_seconds`: null or absent for a token that stays valid until it is revoked. */
export type MakeTokenJson = { name: string; expires_in_seconds?: number | null }
/** A token for programs; its secret is not shown again. */
export type WebTokenJson = {
  name: string
  made_at: string
  made_by: string
  expires_at: string | null
  expired: boolean
}
/** `secret`: send it as `Authorization: Bearer <secret>`. */
export type TokenMadeJson = { token: WebTokenJson; secret: string }
