/** The head of the table and its rows have the same columns. The longest words of a state fit into the second one. */
export const COLUMNS =
  'grid grid-cols-[32px_132px_minmax(0,1fr)_128px_112px_72px_88px_150px] max-lg:grid-cols-[32px_132px_minmax(0,1fr)_112px_72px_140px] max-md:grid-cols-[32px_132px_minmax(0,1fr)]'
