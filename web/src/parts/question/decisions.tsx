// Owns what Holdfast asks about a task: the ways on, of which one ends it. Only they can be carried out: words cannot.
import type { OpenQuestionJson } from '../../../../src/protocol/json/recovery-json.ts'
import { capital } from '../../words/sentence.ts'
import { Button } from '../button.tsx'
import { Confirm } from '../confirm.tsx'

/** The daemon takes an option by its number. */
export const Decisions = ({
  question,
  title,
  onAnswer,
}: {
  readonly question: OpenQuestionJson
  readonly title: string
  readonly onAnswer: (choice: string) => Promise<void>
}) => (
  <div className="flex flex-wrap gap-2">
    {question.options.map((option, index) => {
      const choose = () => onAnswer(String(index + 1))
      return option === 'close' ? (
        <Confirm
          key={option}
          button="Close"
          title={`Close “${title}”?`}
          what="The task ends as killed. Its files, output and story stay."
          order={choose}
        />
      ) : (
        <Button key={option} onClick={() => void choose()}>
          {capital(option)}
        </Button>
      )
    })}
  </div>
)
