/** What is wrong with a setting's value. The loader adds file and key. */
export class BadSetting extends Error {
  /** Where inside the value, for example `.aider.argv`; empty for the value itself. */
  readonly within: string
  constructor(message: string, within = '') {
    super(message)
    this.within = within
  }
}
