// For readers of `GET /api/tasks/:id/output`.
export { OUTPUT_HEADS, type OutputHead } from '../domain/run/output-heads.ts'
