import { call } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

/** All questions that wait for a person, and whether tmux is away. */
export const useQuestions = () => useResource(['questions'], () => call('GET /api/questions', { query: {} }))
