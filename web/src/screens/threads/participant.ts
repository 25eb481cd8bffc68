/** People are named as `person:<name>`, tasks as `task:<id>`, runtimes as `<role>@<workspace>`. */
export const participant = (name: string) => name.replace(/^(person|task):/, '')
