/**
 * What processors `enrich` look up: documents of the index that a policy was executed to.
 */
import type { DocumentValue } from '../values/document-value.ts';

export const SHAPE_RELATIONS = ['intersects', 'disjoint', 'within', 'contains'] as const;

export interface EnrichLookup {
  readonly policy: string;
  /** Value of the document that is compared with the match field. */
  readonly value: DocumentValue;
  /** Documents wanted at most. */
  readonly matchesMax: number;
  /** How shapes of a `geo_match` policy must lie to the value. */
  readonly relation: (typeof SHAPE_RELATIONS)[number];
}

export interface EnrichSource {
  /**
   * Documents found, as JSON; null: they are not known yet, and will be when the document goes on.
   *
   * @throws ShoalError when the policy was not executed, or its index cannot be searched
   */
  find(lookup: EnrichLookup): readonly string[] | null;
}
