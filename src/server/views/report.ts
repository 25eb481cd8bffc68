// Owns the JSON of a report. Every text in it is cut to what can be read, and secrets are removed.
import type { Run } from '../../domain/task/run.ts'
import type { Task } from '../../domain/task/task.ts'
import { redactDeep, redactSecrets } from '../../domain/text/redact-secrets.ts'
import type {
  CutTextJson,
  ReportChangesJson,
  ReportInputJson,
  ReportJson,
  ReportRunJson,
} from '../../protocol/json/report-json.ts'
import type { Detail, OutputEnd, ReportedChanges, ReportedInput, Story } from '../../supervisor/desk.ts'
import { taskDetail } from './task.ts'
import { stepJson } from './trigger.ts'
import { exact, whyJson } from './why.ts'

const MOST_PROMPT = 16 * 1024
const MOST_TEXT = 4 * 1024
const MOST_RESULT = 64 * 1024
const MOST_STORY = 300
const MOST_INPUTS = 200

export type Gathered = {
  readonly detail: Detail
  readonly story: Story
  readonly inputs: readonly ReportedInput[]
  readonly output: OutputEnd
  readonly result: string | undefined
  readonly changes: ReportedChanges
  readonly version: string
}

export function reportJson(gathered: Gathered): ReportJson {
  const { detail, story, inputs, output, result, changes, version } = gathered
  const { task } = story
  const steps = whyJson(story).story
  const report: ReportJson = {
    made_at: exact(story.at),
    version,
    session: {
      ...taskDetail(detail),
      created_at: exact(task.createdAt),
      completed_at: exactOrNull(task.endedAt),
    },
    prompt: beginning(task.snapshot.prompt, MOST_PROMPT),
    story: steps.slice(-MOST_STORY),
    story_left_out: Math.max(0, steps.length - MOST_STORY),
    runs: story.runs.map((run) => runJson(run, story)),
    inputs: inputs.slice(-MOST_INPUTS).map(inputJson),
    output: endOf(output),
    result: result === undefined ? null : beginning(result, MOST_RESULT),
    verification: verificationJson(task),
    changes: changesJson(changes),
  }
  return redactDeep(report) as ReportJson
}

const changesJson = (changes: ReportedChanges): ReportChangesJson =>
  changes.kind === 'unknown'
    ? { since: null, why_unknown: changes.why, files: [], files_left_out: 0, patch: '', patch_cut: false }
    : {
        since: changes.since,
        why_unknown: null,
        files: changes.files.map((file) => ({ ...file })),
        files_left_out: changes.filesLeftOut,
        patch: redactSecrets(changes.patch),
        patch_cut: changes.isCut,
      }

/** The transition by which its end was stored is the first after its launch that is not before its end. */
function runJson(run: Run, { transitions }: Story): ReportRunJson {
  const { endedAt } = run
  const launched = transitions.findIndex((one) => one.event === 'launched' && one.runId === run.id)
  const ended =
    endedAt === null ? undefined : transitions.slice(launched + 1).find((one) => one.at >= endedAt)
  return {
    number: run.number,
    how: run.how,
    state: run.state,
    started_at: exact(run.startedAt ?? run.createdAt),
    ended_at: exactOrNull(endedAt),
    exit: exitOf(run),
    failure: run.failure,
    tools: run.tools,
    progress: run.progress,
    told: run.told === null ? null : beginning(run.told, MOST_TEXT),
    evidence: (ended?.evidence ?? []).map(({ source, fact }) => ({ source, fact })),
    steps: run.steps.map(({ tool, detail, ok, at }) => ({ tool, detail, ok, at: exactOrNull(at ?? null) })),
  }
}

const inputJson = ({ input, steps }: ReportedInput): ReportInputJson => ({
  number: input.number,
  kind: input.kind,
  by: input.by,
  text: beginning(input.text, MOST_TEXT),
  queued_at: exact(input.at),
  said_at: exactOrNull(input.saidAt),
  heard_at: exactOrNull(input.heardAt),
  done_at: exactOrNull(input.doneAt),
  state: input.state,
  code: input.code,
  steps: steps.map((step) => ({ ...stepJson(step), at: exact(step.at) })),
})

const verificationJson = ({ verification }: Task): ReportJson['verification'] =>
  verification === null
    ? null
    : {
        verified: verification.verified,
        rounds: verification.rounds,
        failures: [...verification.failures],
        at: exact(verification.at),
      }

function exitOf({ exitCode, exitSignal }: Run): string | null {
  if (exitSignal !== null) return `signal ${exitSignal}`
  return exitCode === null ? null : `code ${exitCode}`
}

const exactOrNull = (ms: number | null) => (ms === null ? null : exact(ms))

/** Secrets are removed before the cut: half a secret would not be known as one. Does not end with half a character. */
function beginning(text: string, most: number): CutTextJson {
  const clean = redactSecrets(text)
  const isCut = clean.length > most
  return {
    text: isCut ? clean.slice(0, most).replace(/[\ud800-\udbff]$/, '') : clean,
    bytes: Buffer.byteLength(text),
    cut: isCut ? 'end' : null,
  }
}

/** Begins with a whole line. */
function endOf({ bytes, length }: OutputEnd): CutTextJson {
  const text = redactSecrets(Buffer.from(bytes).toString('utf8'))
  const isCut = bytes.length < length
  return {
    text: isCut ? text.slice(text.indexOf('\n') + 1) : text,
    bytes: length,
    cut: isCut ? 'begin' : null,
  }
}
