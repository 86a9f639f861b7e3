/**
 * A parsed field reference, `name` or `[a][b][0]`: parsed once at load, followed for every event.
 */

export interface FieldReference {
  /** Text that was parsed. */
  readonly text: string;
  /** `@metadata` is not in the path: `isMetadata` says where the path starts. */
  readonly path: readonly string[];
  readonly isMetadata: boolean;
}
