/** The head of the table and its rows have the same columns. */
export const COLUMNS =
  'grid grid-cols-[32px_112px_minmax(0,1fr)_128px_170px_92px] max-md:grid-cols-[32px_104px_minmax(0,1fr)]'
