// Owns that nothing which tells of a task is stored with a secret in it. What an agent, a screen or a person said becomes a
// reason, a question, an event and a row of the audit in many places: all of them pass here. What is said to an agent
// stays as it is, and so do options whose exact words are said to it as the answer. Pure.
import { redactDeep, redactSecrets } from '../domain/text/redact-secrets.ts'
import type { Change } from '../ports/store/commits.ts'
import type { QuestionDraft } from '../ports/store/conversation.ts'

export function withoutSecrets(change: Change): Change {
  const { task, question, event, audit, gate, moveRuntime } = change
  return {
    ...change,
    ...(task === undefined ? {} : { task: { ...task, reason: redactSecrets(task.reason) } }),
    ...(question === undefined ? {} : { question: asked(question) }),
    ...(event === undefined ? {} : { event: { ...event, data: redactDeep(event.data) } as typeof event }),
    ...(audit === undefined ? {} : { audit: { ...audit, detail: redactSecrets(audit.detail) } }),
    ...(gate === undefined ? {} : { gate: { ...gate, reason: redactSecrets(gate.reason) } }),
    ...(moveRuntime === undefined
      ? {}
      : { moveRuntime: { ...moveRuntime, reason: redactSecrets(moveRuntime.reason) } }),
  }
}

/** An agent that asked with a ref is answered with the words of an option: those are said to it. */
const asked = (question: QuestionDraft): QuestionDraft => ({
  ...question,
  text: redactSecrets(question.text),
  options: question.ref === null ? question.options.map(redactSecrets) : question.options,
})
