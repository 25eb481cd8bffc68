// Owns the request that `create` and `run` send: made from their options.
import { HoldfastError } from '../../domain/errors.ts'
import { ENV_NAME, printable } from '../../domain/names/names.ts'
import type { CreateTaskJson } from '../../protocol/json/create-json.ts'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { isPerson } from '../wire/caller.ts'
import { givenEnv } from '../wire/given-env.ts'

export type TaskOptions = InputOf<'create'>['options']
export type Work = Pick<CreateTaskJson, 'command' | 'prompt' | 'role'>

export function taskRequest(
  work: Work,
  options: TaskOptions,
  { env, path }: Pick<Context, 'env' | 'path'>,
  verify: CreateTaskJson['verify'],
): CreateTaskJson {
  return {
    ...work,
    dir: path(options.dir),
    agent: options.agent,
    model: options.model,
    name: options.name,
    title: options.title,
    mode: options.mode,
    converse: options.converse || undefined,
    permissions: options.permissions,
    extra_dirs: options['add-dir'].map((dir) => path(dir)),
    priority: options.priority,
    tags: [...options.tag],
    meta: Object.fromEntries(options.meta.map(metaEntry)),
    env: givenEnv(env),
    set_env: Object.fromEntries(options.env.map((text) => envEntry(text, env))),
    max_duration_seconds: options['max-duration'],
    verify,
    no_queue: options['no-queue'] || undefined,
    allow_dir: isPerson(env) || undefined,
  }
}

function metaEntry(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new HoldfastError('USAGE', `Option --meta: '${printable(text)}' is not KEY=VALUE.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** `NAME` takes the caller's value, `NAME=VALUE` sets one. */
function envEntry(text: string, env: Readonly<Record<string, string | undefined>>): [string, string] {
  const at = text.indexOf('=')
  const name = at === -1 ? text : text.slice(0, at)
  if (!ENV_NAME.test(name))
    throw new HoldfastError('USAGE', `Option --env: '${printable(name)}' is not the name of a variable.`)
  const value = at === -1 ? env[name] : text.slice(at + 1)
  if (value === undefined)
    throw new HoldfastError('USAGE', `Option --env: ${name} is not set in your environment.`)
  return [name, value]
}
