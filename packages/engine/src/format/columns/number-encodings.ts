/**
 * Encodings of the values of a number column, in the order of their numbers in the file.
 */

/** Forms of the values: `packed` is whole numbers of few bytes, where that is exact. */
export const ENCODINGS = ['packed', 'f32', 'f64', 'i64', 'u64'] as const;

export type Encoding = (typeof ENCODINGS)[number];
