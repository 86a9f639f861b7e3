/**
 * A parsed field reference, `name` or `[a][b][0]`: parsed once at load, followed for every event.
 */

export interface FieldReference {
  /** As it was written. */
  readonly text: string;
  /** `@metadata` is not in the path: `isMetadata` says where the path starts. */
  readonly path: readonly string[];
  readonly isMetadata: boolean;
}
