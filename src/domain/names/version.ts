/** Put in by the build; the sources themselves have no version. */
export const VERSION = process.env.HOLDFAST_BUILD_VERSION ?? '0.0.0-source'
