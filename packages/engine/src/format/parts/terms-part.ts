/**
 * Part `terms`: the distinct values of a field in byte order, and their postings where the field is indexed.
 */
import type { WrittenPostings } from '../postings/written-postings.ts';
import { FlatTerms } from '../terms/flat-terms.ts';
import type { PartCodec } from './part-codec.ts';

export interface TermsContent {
  readonly postings: WrittenPostings;
  /** Documents that have a term. */
  readonly docCount: number;
}

export const TERMS_PART: PartCodec<TermsContent, FlatTerms> = {
  version: 2,
  write: ({ postings, docCount }, into) => postings.finish(into, docCount),
  read: (from, { sections }) => new FlatTerms(from, sections),
  verify: (terms, docCount) => terms.verify(docCount),
};
