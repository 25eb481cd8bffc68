// Owns the tmux format of a pane's outline: what stays the same while a program only draws a detail anew, such as a clock.

/** Holds no `:`. The title is missing because it may hold anything. */
export const PANE_OUTLINE = '#{cursor_x}.#{cursor_y}.#{cursor_flag}.#{history_size}.#{pane_in_mode}'

const IN_ITS_WINDOW = ` ${PANE_OUTLINE}.#{window_panes}`

/**
 * Of the pane in front of every window, with the keys of everybody who is attached. tmux works this out every second, and
 * each loop (`S:`, `W:`) costs as much as all fields in it: it is left out for a session with one window.
 */
export const ALL_OUTLINES =
  '#{S:#{session_activity}.#{session_attached}' +
  `#{?#{==:#{session_windows},1},${IN_ITS_WINDOW},#{W:${IN_ITS_WINDOW}}};}`
