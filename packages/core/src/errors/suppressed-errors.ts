/** Several failures as one: the first, which tells the others that came behind it. */
import { changedError, type ShoalError } from './shoal-error.ts';

export function withSuppressed(first: ShoalError, suppressed: readonly ShoalError[]): ShoalError {
  if (suppressed.length === 0) return first;
  return changedError(first, { suppressed: [...first.suppressed, ...suppressed] });
}
