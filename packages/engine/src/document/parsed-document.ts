/**
 * A document after parsing: every value that is to be indexed, in the form that its field indexes.
 */
import type { FieldMapping } from '@shoal/schema';
import type { IndexedValue } from '../field-types/contract/indexed-value.ts';

/** Values in parallel arrays: value i belongs to field i. */
export interface DocumentValues {
  readonly fields: readonly FieldMapping[];
  readonly values: readonly IndexedValue[];
}

/** Object of a nested field: a document of its own in front of the one it stands in. */
export interface NestedDocument extends DocumentValues {
  /** Path of the nested field. */
  readonly path: string;
}

export interface ParsedDocument extends DocumentValues {
  /** Nested documents in the order of the segment: each behind those inside it. */
  readonly nested: readonly NestedDocument[];
  /** It was accepted before: a term that is too long is left out of the index, and refuses the document no more. */
  readonly isAccepted: boolean;
}
