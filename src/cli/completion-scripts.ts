// Owns the completion scripts, made from the command table.
import { type Command, firstWord, type Option } from './command.ts'
import { commands, globalOptions } from './commands.ts'

const listed: readonly Command[] = (commands as readonly Command[]).filter(({ hidden }) => !hidden)
const commandsUnder = (first: string) => listed.filter((command) => firstWord(command) === first)
/** The first command of each first word: it tells what the word is about. */
const leaders = listed.filter((command) => commandsUnder(firstWord(command))[0] === command)
const firstWords = leaders.map(firstWord)
const secondWords = (first: string) => commandsUnder(first).flatMap(({ name }) => name.split(' ').slice(1))
const optionsOf = (first: string): readonly Option[] => [
  ...commandsUnder(first).flatMap(({ options }) => options),
  ...globalOptions,
]
/** Arguments and options whose values only the daemon knows, each with the subcommand of `holdfast completion` that lists them. */
const DYNAMIC: Readonly<Record<string, 'ids' | 'roles' | 'workspaces' | 'triggers' | 'threads'>> = {
  id: 'ids',
  task: 'ids',
  role: 'roles',
  workspace: 'workspaces',
  trigger: 'triggers',
  thread: 'threads',
}
const dynamicKindOf = (first: string) =>
  commandsUnder(first)
    .flatMap((command) => command.arguments.map(({ name }) => DYNAMIC[name]))
    .find((word) => word !== undefined)
const commandsWith = (word: string) => firstWords.filter((first) => dynamicKindOf(first) === word)
const dynamicKinds = [...new Set(Object.values(DYNAMIC))].filter((word) => commandsWith(word).length > 0)
const dynamicOptions = Object.entries(DYNAMIC).filter(([name]) =>
  listed.some(({ options }) => options.some((option) => option.name === name && option.value !== undefined)),
)
const choicesOf = (first: string) =>
  commandsUnder(first).flatMap((command) => command.arguments.flatMap((a) => a.choices ?? []))

export const completionScripts = { bash, zsh, fish } as const

function bash(): string {
  const words = (first: string) =>
    [...secondWords(first), ...choicesOf(first), ...optionsOf(first).map(({ name }) => `--${name}`)].join(' ')
  const options = listed.flatMap((command) => command.options)
  const choices = new Map(options.flatMap(({ name, choices }) => (choices ? [[name, choices] as const] : [])))
  return `# holdfast completion for bash: source <(holdfast completion bash)
_holdfast() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      --home) ((i++)) ;;
      -*) ;;
      *) command=\${COMP_WORDS[i]}; break ;;
    esac
  done
  case $command in
    '') words='${[...firstWords, ...globalOptions.map(({ name }) => `--${name}`)].join(' ')}' ;;
${firstWords.map((first) => `    ${first}) words='${words(first)}' ;;`).join('\n')}
  esac
  case $command in
${dynamicKinds.map((word) => `    ${commandsWith(word).join(' | ')}) [[ $cur == -* ]] || words+=" $(holdfast completion ${word} 2>/dev/null)" ;;`).join('\n')}
  esac
  case $prev in
${[...choices].map(([name, some]) => `    --${name}) words='${some.join(' ')}' ;;`).join('\n')}
${dynamicOptions.map(([name, word]) => `    --${name}) words=$(holdfast completion ${word} 2>/dev/null) ;;`).join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _holdfast holdfast`
}

/** The text in single quotes, for a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function zsh(): string {
  const about = (text: string) => text.replace(/[[\]:]/g, '\\$&')
  const spec = ({ name, value, choices, repeatable, about: text }: Option) => {
    const known = choices ? `(${choices.join(' ')})` : DYNAMIC[name] ? `_holdfast_${DYNAMIC[name]}` : ''
    const argument = value === undefined ? '' : `:${value}:${known}`
    return quoted(
      `${repeatable ? '*' : ''}--${name}${value === undefined ? '' : '='}[${about(text)}]${argument}`,
    )
  }
  const rest = (first: string) => {
    const words = [...secondWords(first), ...choicesOf(first)]
    const asked = dynamicKindOf(first)
    if (words.length > 0 && asked !== undefined)
      return `${quoted(`1:${first}:(${words.join(' ')})`)} ${quoted(`*:${asked}:_holdfast_${asked}`)}`
    if (words.length > 0) return quoted(`*:${first}:(${words.join(' ')})`)
    return asked === undefined ? quoted('*:file:_files') : quoted(`*:${asked}:_holdfast_${asked}`)
  }
  return `#compdef holdfast
# holdfast completion for zsh: holdfast completion zsh > "\${fpath[1]}/_holdfast"
${dynamicKinds.map((word) => `_holdfast_${word}() {\n  compadd -- \${(f)"$(holdfast completion ${word} 2>/dev/null)"}\n}`).join('\n')}
_holdfast() {
  local -a commands=(
${leaders.map((leader) => `    ${quoted(`${firstWord(leader)}:${about(leader.summary)}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${firstWords.map((first) => `    ${first}) _arguments ${[...optionsOf(first).map(spec), rest(first)].join(' ')} ;;`).join('\n')}
  esac
}
compdef _holdfast holdfast`
}

function fish(): string {
  const option = (first: string, { name, short, value, choices, about }: Option) =>
    [
      `complete -c holdfast -n '__fish_seen_subcommand_from ${first}' -l ${name}`,
      short && `-s ${short}`,
      value !== undefined && '-r',
      choices && `-f -a ${quoted(choices.join(' '))}`,
      value !== undefined && DYNAMIC[name] && `-f -a '(holdfast completion ${DYNAMIC[name]} 2>/dev/null)'`,
      `-d ${quoted(about)}`,
    ]
      .filter(Boolean)
      .join(' ')
  const words = (first: string) => [...secondWords(first), ...choicesOf(first)]
  return [
    '# holdfast completion for fish: holdfast completion fish > ~/.config/fish/completions/holdfast.fish',
    ...leaders.map(
      (leader) =>
        `complete -c holdfast -f -n __fish_use_subcommand -a ${firstWord(leader)} -d ${quoted(leader.summary)}`,
    ),
    ...firstWords
      .filter((first) => words(first).length > 0)
      .map(
        (first) =>
          `complete -c holdfast -f -n '__fish_seen_subcommand_from ${first}' -a '${words(first).join(' ')}'`,
      ),
    ...firstWords
      .filter((first) => dynamicKindOf(first) !== undefined)
      .map(
        (first) =>
          `complete -c holdfast -f -n '__fish_seen_subcommand_from ${first}' -a '(holdfast completion ${dynamicKindOf(first)} 2>/dev/null)'`,
      ),
    ...firstWords.flatMap((first) => optionsOf(first).map((one) => option(first, one))),
  ].join('\n')
}
