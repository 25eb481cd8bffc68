// Owns the tmux format that tells whether somebody pressed a key.
const ACTIVITY = '#{session_activity}.#{session_attached}'
/** A text that changes with every key. A key counts for the session of its client, so a window in several sessions needs all. */
export const KEYS_SEEN = `#{?#{==:#{window_linked_sessions},1},${ACTIVITY},#{S:${ACTIVITY} }}`
