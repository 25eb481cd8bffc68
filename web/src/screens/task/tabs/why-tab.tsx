// Owns the whole story: every step with its reason and evidence, newest first, and the runs.
import type { StoryJson, WhyJson } from '../../../../../src/protocol/json/recovery-json.ts'
import { At, Sentence } from '../../../parts/age.tsx'
import { Chip } from '../../../parts/chip.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { sourceWord } from '../../../words/evidence.ts'
import { stateWord } from '../../../words/state.ts'
import { timeOf } from '../../../words/time.ts'

/** More than anybody reads here. */
const MOST_STEPS = 300

export const WhyTab = ({ why }: { readonly why: WhyJson }) => (
  <>
    {why.story.length > MOST_STEPS && (
      <p className="border-line border-b px-4 py-2 text-mut text-sm">
        The last {MOST_STEPS} of {why.story.length.toLocaleString('en-US')} steps. All:{' '}
        <Copy text={`holdfast why ${why.session_id}`} />
      </p>
    )}
    <Steps why={why} />
  </>
)

const Steps = ({ why }: { readonly why: WhyJson }) => (
  <ol className="divide-y divide-line">
    {why.story
      .slice(-MOST_STEPS)
      .reverse()
      .map((step, index) => (
        <Step
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have the same second and event.
          key={`${step.at} ${step.event} ${index}`}
          step={step}
          run={why.runs.find(({ number }) => number === step.run)?.how}
        />
      ))}
  </ol>
)

const Step = ({ step, run }: { readonly step: StoryJson; readonly run: string | undefined }) => (
  <li className="flex gap-4 px-4 py-2.5 max-md:flex-col max-md:gap-1">
    <span className="w-36 shrink-0 text-mut text-sm">
      <At at={timeOf(step.at)} seconds />
      {step.run !== null && <span title={run}> · run {step.run}</span>}
    </span>
    <span className="w-28 shrink-0">
      <Chip
        {...stateWord({
          task_status: step.to as 'running',
          phase: step.phase as 'working',
          stopping: null,
          asked_by: null,
        })}
      />
    </span>
    <span className="min-w-0 flex-1">
      <Sentence words={step.reason} />
      {step.evidence.map(({ source, fact }) => (
        <span key={`${source} ${fact}`} className="block text-mut text-sm">
          {sourceWord(source)}: {fact}
        </span>
      ))}
    </span>
  </li>
)
