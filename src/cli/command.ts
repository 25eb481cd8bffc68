// Owns the type of a command's row in the table, and the types of what its code receives, which follow from the row.
import type { Context } from './context.ts'

export type Argument = {
  readonly name: string
  readonly about: string
  readonly optional?: true
  /** Takes all arguments that follow. */
  readonly many?: true
  readonly choices?: readonly string[]
}

export type Option = {
  readonly name: string
  readonly about: string
  readonly short?: string
  /** The placeholder for the option's value; absent for a switch. */
  readonly value?: string
  readonly kind?: 'duration'
  /** The unit of a duration without a unit; seconds when absent. */
  readonly bare?: 'minutes'
  readonly choices?: readonly string[]
  readonly repeatable?: true
  /** What applies without the option, in words for the help. */
  readonly default?: string
}

/** Returns the exit code. `never`, because the type of the input follows from the command's row: see `InputOf` in commands.ts. */
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
/** A duration is a number of seconds; null stands for `none`. */
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
