/** The word of an agent that it is alive: at work, or waiting. `at`: epoch ms. */
export type Heartbeat = { readonly status: 'active' | 'idle'; readonly at: number }
