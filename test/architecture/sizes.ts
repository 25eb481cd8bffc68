// How much a folder and a file of src/ and web/src/ may hold. Beyond that nobody finds anything: make a sub-room, or two files of two ideas.
export const MOST_FILES_IN_A_FOLDER = 22
export const MOST_LINES_IN_A_FILE = 320

/** Folders and files that may hold more, and why. */
export const mayHoldMore: Record<string, string> = {
  'src/store/database/migrations': 'one file for each change of the tables, and none is ever removed',
}
