/** `it works` → `It works.` */
export const sentence = (words: string) =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?!…]$/.test(words) ? '' : '.'}`
