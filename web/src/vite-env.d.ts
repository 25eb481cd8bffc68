/** The version of Holdfast that the page was built with. */
declare const __VERSION__: string
