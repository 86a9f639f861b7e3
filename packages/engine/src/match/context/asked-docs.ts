/**
 * Documents of a segment that scripts and functions of scores may be asked about: others would fail them for values that they lack.
 *
 * Scores are made for batches of candidates, among which deleted documents and those of `nested` fields still are.
 */
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from './compile-context.ts';

/** Bits by document; null: all of them. Within a `nested` query the documents asked about are nested ones. */
export function askedDocs({ nestedPath }: CompileContext, view: SegmentView): Uint8Array | null {
  return nestedPath === undefined ? view.liveDocs : null;
}
