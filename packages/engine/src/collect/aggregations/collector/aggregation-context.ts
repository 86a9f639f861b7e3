/**
 * What aggregations need to know of the shard and of the search around them.
 */
import type { CompileContext } from '../../../match/context/compile-context.ts';
import type { ShownDocuments } from './shown-documents.ts';

export interface AggregationContext extends CompileContext {
  /** Scores the documents for scripts; left out or null where none can be shown. */
  readonly documents?: ShownDocuments | null;
}
