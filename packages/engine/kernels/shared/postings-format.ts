/**
 * Constants of the format of postings that every kernel shares; docs/segment-format.md describes them, and
 * packages/engine/src/format has the same for JavaScript.
 */

/** Postings of one block. */
export const BLOCK: i32 = 128;
/** Value of a block's bits that marks a block whose postings are a list. */
export const LIST_BLOCK: u32 = 255;
/** Sentinel behind the last document; greater than any document, so that a search within a block ends there. */
export const NO_MORE_DOCS: i32 = 0x7fffffff;
/** Norm of documents of a field without norms. */
export const NO_NORM: u32 = 1;
