// Owns what lets somebody in over TCP: links, cookies and tokens.
import type { RequestKey } from './store/request-keys.ts'

/** Who asks over TCP. `page`: a browser that was opened with a link; `token`: a program. */
export type WebPass = {
  readonly kind: 'page' | 'token'
  readonly id: string
  /** Of a token its name; of a page, who made its link. */
  readonly name: string
}

export type WebToken = {
  readonly name: string
  readonly madeAt: number
  readonly madeBy: string
  /** Null: never. */
  readonly expiresAt: number | null
}

/** What lets callers in over TCP. Only hashes are stored: a secret is told once, to the one it is for. */
export interface WebKeys {
  /** A code that works once, for a short time; forgotten when the daemon ends. */
  newCode(by: string): { readonly code: string; readonly expiresAt: number }
  /** The secret of a new cookie; undefined when the code is not valid. */
  redeem(code: string): Promise<{ readonly secret: string; readonly name: string } | undefined>
  /** How long a cookie is valid. */
  readonly cookieSeconds: number
  /** Undefined for a secret that is wrong, revoked or expired. */
  passOf(kind: WebPass['kind'], secret: string): WebPass | undefined
  /**
   * WEB_TOKEN_EXISTS when there is one of this name. Asked again with the same key, it is the same token and secret;
   * KEY_REUSED when another one was made with it.
   */
  makeToken(
    name: string,
    by: string,
    expiresAt: number | null,
    key?: RequestKey,
  ): Promise<{ readonly token: WebToken; readonly secret: string; readonly isNew: boolean }>
  tokens(): readonly WebToken[]
  /** WEB_TOKEN_NOT_FOUND when there is none of this name. */
  revokeToken(name: string): Promise<WebToken>
  /** Takes back every cookie: all pages need a new link. How many there were. */
  revokePages(): Promise<number>
}
