import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { HoldfastError } from '../../../domain/errors.ts'
import { contentHash } from '../../../domain/text/content-hash.ts'
import { ask, isYes } from '../../ask.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'
import { isPerson } from '../../wire/caller.ts'
import { besideCli } from '../../wire/daemon-script.ts'

type Env = Readonly<Record<string, string | undefined>>
type Kind = 'claude' | 'codex' | 'opencode' | 'pi'

/** The folder that each agent keeps its own things in, and where in it skills lie. */
const FOLDERS: Readonly<Record<Kind, (env: Env) => { own: string; skills: string }>> = {
  claude: ({ CLAUDE_CONFIG_DIR, HOME }) => inside(CLAUDE_CONFIG_DIR || `${HOME}/.claude`),
  codex: ({ CODEX_HOME, HOME }) => inside(CODEX_HOME || `${HOME}/.codex`),
  opencode: ({ XDG_CONFIG_HOME, HOME }) => inside(`${XDG_CONFIG_HOME || `${HOME}/.config`}/opencode`),
  pi: ({ HOME }) => inside(`${HOME}/.pi/agent`),
}
const inside = (own: string) => ({ own, skills: `${own}/skills` })
const KINDS = Object.keys(FOLDERS) as Kind[]

type Outcome = 'written' | 'same' | 'kept'
type Place = {
  readonly agent: Kind
  readonly file: string
  readonly found: 'none' | 'same' | 'ours' | 'changed'
}

export async function installSkill({ options }: InputOf<'skill install'>, context: Context): Promise<number> {
  if (!isPerson(context.env)) throw new HoldfastError('NOT_ALLOWED_FOR_RUN', 'A run may not install skills.')
  const skill = signed(readFileSync(besideCli('SKILL.md'), 'utf8'))
  const places = kindsFor(options.agent, context.env).map((agent) => placeFor(agent, skill, context.env))
  const files: { agent: Kind; file: string; outcome: Outcome }[] = []
  for (const place of places) {
    const { agent, file } = place
    const outcome = place.found === 'same' ? 'same' : await writeIfWanted(place, skill, options.yes, context)
    files.push({ agent, file, outcome })
  }
  context.show({ files }, () => files.map(({ file, outcome }) => `${WORDS[outcome]}: ${oneLine(file)}`))
  return 0
}

const WORDS: Readonly<Record<Outcome, string>> = {
  written: 'Written',
  same: 'Already there',
  kept: 'Left as it is',
}

function kindsFor(asked: readonly string[], env: Env): readonly Kind[] {
  const named = KINDS.filter((kind) => asked.includes(kind))
  const kinds = named.length > 0 ? named : KINDS.filter((kind) => existsSync(FOLDERS[kind](env).own))
  if (kinds.length > 0) return kinds
  throw new HoldfastError(
    'USAGE',
    `None of your agents was found. Name one with --agent: ${KINDS.join(', ')}.`,
  )
}

function placeFor(agent: Kind, skill: string, env: Env): Place {
  const file = `${FOLDERS[agent](env).skills}/holdfast/SKILL.md`
  const there = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const found =
    there === undefined ? 'none' : there === skill ? 'same' : isUnchanged(there) ? 'ours' : 'changed'
  return { agent, file, found }
}

async function writeIfWanted(place: Place, skill: string, yes: boolean, context: Context): Promise<Outcome> {
  const { file, found } = place
  if (found === 'changed' && yes) return 'kept'
  if (!yes && !context.canAsk())
    throw new HoldfastError('CONFIRMATION_NEEDED', `Nobody can be asked whether to write ${file}.`)
  const question =
    found === 'changed' ? `${oneLine(file)} was changed. Replace it?` : `Write ${oneLine(file)}?`
  if (!yes && !isYes(await ask(`${question} [y/N] `))) return 'kept'
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, skill)
  return 'written'
}

/** By its last line, a file that we wrote and nobody changed is known, also in a later version. */
const MARK = /\n<!-- written by holdfast: ([0-9a-f]{64}) -->\n$/
const signed = (skill: string) =>
  `${skill.trimEnd()}\n<!-- written by holdfast: ${contentHash(skill.trimEnd())} -->\n`
const isUnchanged = (there: string) => MARK.exec(there)?.[1] === contentHash(there.replace(MARK, ''))
