export const capital = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`

/** `it works` → `It works.` */
export const sentence = (words: string) => `${capital(words)}${/[.?!…]$/.test(words) ? '' : '.'}`
