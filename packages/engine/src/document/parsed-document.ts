/**
 * A document after parsing: every value that is to be indexed, in the form that its field indexes.
 */
import type { FieldMapping } from '@shoal/schema';
import type { IndexedValue } from '../field-types/contract/indexed-value.ts';

/** Values of a document in parallel arrays: value i belongs to field i. */
export interface ParsedDocument {
  readonly fields: readonly FieldMapping[];
  readonly values: readonly IndexedValue[];
  /** It was accepted before: a term that is too long is left out of the index, and refuses the document no more. */
  readonly isAccepted: boolean;
}
