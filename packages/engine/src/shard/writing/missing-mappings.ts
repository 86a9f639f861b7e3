/**
 * Outcome of an operation whose document has fields that the mapping lacks.
 */

/** The operation brings fields that the mapping lacks. */
export class MissingMappings {
  readonly update: Readonly<Record<string, unknown>>;
  constructor(update: Readonly<Record<string, unknown>>) {
    this.update = update;
  }
}
