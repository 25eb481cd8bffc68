/**
 * How an answer reaches the agent. `at_once`: while it runs. `resume`: the agent is resumed with the answer.
 * `none`: no answer can reach it, and the task can only start over or end.
 */
export type AnswerWay = 'at_once' | 'resume' | 'none'
