// Owns what is shown in place of a part that could not be loaded or drawn: the rest of the page stays.
import { Component, type ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Problem } from '../problem.tsx'
import { forgetFailures, NotLoaded } from './loadable.tsx'

type Props = {
  readonly children: ReactNode
  /** With another place it is tried anew. */
  readonly at?: string
  /** The frame around what is said. */
  readonly frame?: (said: ReactNode) => ReactNode
}
type State = { readonly failure: unknown }

const NONE: State = { failure: undefined }

export class Boundary extends Component<Props, State> {
  override state = NONE

  static getDerivedStateFromError = (failure: unknown): State => ({ failure })

  override componentDidCatch(failure: unknown): void {
    // A fault of the page itself stays as loud as it would be without a boundary.
    if (!(failure instanceof NotLoaded)) reportError(failure)
  }

  override componentDidUpdate({ at }: Props): void {
    if (at !== this.props.at && this.state.failure !== undefined) this.tryAgain()
  }

  override componentWillUnmount(): void {
    if (this.state.failure !== undefined) forgetFailures()
  }

  tryAgain = () => {
    forgetFailures()
    this.setState(NONE)
  }

  override render(): ReactNode {
    const { children, frame = (said) => said } = this.props
    const { failure } = this.state
    if (failure === undefined) return children
    return frame(<Failed failure={failure} tryAgain={this.tryAgain} />)
  }
}

/** A part of another version is gone for good: then only a reload helps. */
const Failed = ({ failure, tryAgain }: { readonly failure: unknown; readonly tryAgain: () => void }) => (
  <div className="grid justify-items-start gap-3">
    <Problem refused={{ message: messageOf(failure), hint: '' }} />
    <div className="flex gap-2">
      <Button onClick={tryAgain}>Try again</Button>
      <Button kind="quiet" onClick={() => location.reload()}>
        Reload the page
      </Button>
    </div>
  </div>
)

const messageOf = (failure: unknown) =>
  failure instanceof NotLoaded ? failure.message : `This part of the page failed: ${failure}`
