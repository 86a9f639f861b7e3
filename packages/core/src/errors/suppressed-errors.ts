/** Several failures as one: the first, which tells the others that came behind it. */
import { ShoalError } from './shoal-error.ts';

export function withSuppressed(first: ShoalError, suppressed: readonly ShoalError[]): ShoalError {
  if (suppressed.length === 0) return first;
  const { metadata, details, rootCauses, causedBy } = first;
  return new ShoalError(first.type, first.status, first.reason, {
    ...{ metadata, details, rootCauses },
    ...(causedBy === undefined ? {} : { causedBy }),
    suppressed: [...first.suppressed, ...suppressed],
  });
}
