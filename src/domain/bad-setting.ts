/** What is wrong with a setting's value. The loader adds the file and the key to the message. */
export class BadSetting extends Error {
  /** The place inside the value, for example `.aider.argv`; empty when the value as a whole is wrong. */
  readonly within: string
  constructor(message: string, within = '') {
    super(message)
    this.within = within
  }
}
