/**
 * Settings of a `completion` field.
 */
export interface CompletionSettings {
  /** Words of an input stay apart; false: they are one. */
  readonly preservesSeparators: boolean;
  /** Words that the analyzer leaves out leave a gap. */
  readonly preservesPositionIncrements: boolean;
  /** UTF-16 units of an input; longer ones are cut off. */
  readonly maxInputLength: number;
  /** Empty: inputs have none. */
  readonly contexts: readonly ContextMapping[];
}

export interface ContextMapping {
  readonly name: string;
  readonly type: 'category' | 'geo';
  /** Field of the document whose values are contexts too; null: only those given with the input. */
  readonly path: string | null;
  /** Letters of the geohashes of a geo context; 0 for categories. */
  readonly precision: number;
}
