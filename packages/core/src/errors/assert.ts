/**
 * Assertions for programming errors: kept on in production, never turned into an answer.
 *
 * A broken invariant means that this process no longer knows what it is doing; carrying on could lose data. The process
 * that sees an `AssertionFailure` at its top stops with its state logged (cli); nothing below may swallow it.
 */

/** Thrown when an invariant of this program is broken. Never caught to go on; see `isAssertionFailure`. */
export class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure';
}

/** Throws `AssertionFailure` with `message` (which names the values) unless `condition` holds. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailure(message);
}

/** The `default` of a switch over a closed union: unreachable by type, an assertion at run time. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable: ${JSON.stringify(value)}`);
}

/** True for a broken invariant, also across two copies of this package. */
export function isAssertionFailure(error: unknown): error is AssertionFailure {
  return error instanceof Error && error.name === 'AssertionFailure';
}
