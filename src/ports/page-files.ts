type Bytes = Uint8Array<ArrayBuffer>

/** A file of the page. `hash`: of its content. `gzip`: null when packing would not make it smaller. */
export type PageFile = { readonly bytes: Bytes; readonly gzip: Bytes | null; readonly hash: string }

/** The built page. */
export interface PageFiles {
  /** `path`: without a leading slash, such as `assets/index-1a2b3c.js`. Undefined when there is no such file. */
  read(path: string): Promise<PageFile | undefined>
}
