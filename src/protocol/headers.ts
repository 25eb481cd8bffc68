// Owns the headers of requests, and how long their bodies may be.

/** Room for the longest prompt that settings allow, written as JSON, and for the caller's environment. */
export const LARGEST_BODY_BYTES = 40 * 1024 * 1024
/** Sent with every request: the version of the client. */
export const HEADER_VERSION = 'x-holdfast-version'
/** Sent with a part of a log: the offset of its first byte. */
export const HEADER_FROM = 'x-holdfast-from'
/** Sent with the events of all tasks: the place behind which they begin, before there is an event that tells it. */
export const HEADER_PLACE = 'x-holdfast-place'
/** Sent with an order: an order that comes again with the same key is the same order. */
export const HEADER_KEY = 'idempotency-key'
/** Sent by a client inside a run, which may do less: the id of the run. */
export const HEADER_RUN = 'x-holdfast-run'
/** Sent with every request, for the audit: `user@tty` of the caller, as far as the client knows. */
export const HEADER_ACTOR = 'x-holdfast-actor'
