/**
 * What aggregations that show documents need of the search around them: scores, and readers of what is shown.
 */
import type { HitForm, HitOptions } from '@shoal/query';
import type { ShownHit } from '@shoal/shard-api';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import type { Weight } from '../../../match/weight/weight.ts';

/** Reads what is shown of one document. */
export interface DocumentReader {
  shown(view: SegmentView, doc: number): Omit<ShownHit, 'result' | 'position'>;
}

export interface ShownDocuments {
  readonly form: HitForm;
  /** Query that scores documents; those that it does not match have 0. Made when it is asked for. */
  weight(): Weight;
  /** @param ctx tells whether the documents are nested objects */
  reader(ctx: CompileContext, options: HitOptions): DocumentReader;
}
