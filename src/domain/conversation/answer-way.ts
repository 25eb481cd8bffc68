/** How an answer reaches who asked: at once; by being resumed with it; or not at all, so that it can only begin anew or end. */
export type AnswerWay = 'at_once' | 'resume' | 'none'
