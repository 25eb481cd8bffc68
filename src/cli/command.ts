// Owns what a command is, and what its code receives: typed from its row in the table.
import type { Context } from './context.ts'

export type Argument = {
  readonly name: string
  readonly about: string
  readonly optional?: true
  /** Takes all that follow. */
  readonly many?: true
  readonly choices?: readonly string[]
}

export type Option = {
  readonly name: string
  readonly about: string
  readonly short?: string
  /** Placeholder for its value; absent for a switch. */
  readonly value?: string
  readonly kind?: 'duration'
  /** What a bare number of a duration counts; seconds when absent. */
  readonly bare?: 'minutes'
  readonly choices?: readonly string[]
  readonly repeatable?: true
  /** What happens without it, in words for the help. */
  readonly default?: string
}

/** Returns the exit code. `never`: what it receives follows from its row, see `InputOf` in commands.ts. */
export type CommandRun = (input: never, context: Context) => Promise<number>
export type Loading = Promise<CommandRun>

export type Command = {
  /** One word, or two: `workspace add`. */
  readonly name: string
  readonly summary: string
  readonly details?: string
  readonly arguments: readonly Argument[]
  readonly options: readonly Option[]
  /** Whole command lines; each one is parsed in the tests. */
  readonly examples: readonly string[]
  /** For programs: works, but is not listed. */
  readonly hidden?: true
  readonly load: () => Loading
}

/** `workspace` of `workspace add`. */
export const firstWord = ({ name }: Pick<Command, 'name'>) => name.replace(/ .*/, '')

type ArgumentValue<A> = A extends { many: true }
  ? readonly string[]
  : A extends { optional: true }
    ? string | undefined
    : A extends { choices: readonly (infer Choice)[] }
      ? Choice
      : string
/** A duration is seconds; null is `none`. */
type OptionValue<O> = O extends { kind: 'duration' }
  ? number | null | undefined
  : O extends { value: string; repeatable: true }
    ? readonly string[]
    : O extends { choices: readonly (infer Choice)[] }
      ? Choice | undefined
      : O extends { value: string }
        ? string | undefined
        : boolean

export type Input<C extends Command> = {
  readonly args: { readonly [A in C['arguments'][number] as A['name']]: ArgumentValue<A> }
  readonly options: { readonly [O in C['options'][number] as O['name']]: OptionValue<O> }
}
