// Owns the labels of cost and tokens: a bounded set, in which no name comes from an agent.
import type { Task } from '../domain/task/task.ts'

/** More than anybody uses at once; each is a time series of its own. */
const MOST_MODELS = 30
const MODEL = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,63}$/

export type UsageLabels = { readonly agent: string; readonly model: string }

/**
 * Agents are those of the config, checked when a task is created. A model counts under its name once a person has asked for
 * it; one that only an agent named, for a task that it started, is `other`.
 */
export class KnownModels {
  readonly #known = new Set<string>()

  labels({
    agent,
    model,
    parentId,
    createdBy,
  }: Pick<Task, 'agent' | 'model' | 'parentId' | 'createdBy'>): UsageLabels {
    if (model === null) return { agent, model: 'default' }
    const byPerson = parentId === null && !createdBy.startsWith('run ')
    if (byPerson && MODEL.test(model) && this.#known.size < MOST_MODELS) this.#known.add(model)
    return { agent, model: this.#known.has(model) ? model : 'other' }
  }
}
