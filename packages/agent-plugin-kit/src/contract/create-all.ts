/**
 * Makes the parts of a plugin, and tells everything that is wrong with any of them: who mends a configuration wants to know
 * all of it at once.
 */

/** @throws what the only failed one threw, or an AggregateError of all */
export function createAll<Part, Made>(parts: Iterable<Part>, make: (part: Part) => Made): Made[] {
  const made: Made[] = [];
  const errors: unknown[] = [];
  for (const part of parts) {
    try {
      made.push(make(part));
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('\n'));
  return made;
}

/** What was thrown, one by one. */
export function flattenErrors(error: unknown): readonly unknown[] {
  return error instanceof AggregateError ? error.errors.flatMap(flattenErrors) : [error];
}
