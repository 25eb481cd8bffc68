/** The build puts the version in; the sources themselves have none. */
export const VERSION = process.env.HOLDFAST_BUILD_VERSION ?? '0.0.0-source'
