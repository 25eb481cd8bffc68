// Owns the tmux format of a pane's outline: what stays the same while a program only draws a detail anew, such as a clock.

/** Holds no `:`. The title is missing because it may hold anything. */
export const PANE_OUTLINE = '#{cursor_x}.#{cursor_y}.#{cursor_flag}.#{history_size}.#{pane_in_mode}'

/** Of all panes, with the keys of everybody who is attached. */
export const ALL_OUTLINES = `#{S:#{session_activity}.#{session_attached}#{W:#{P: ${PANE_OUTLINE}}};}`
