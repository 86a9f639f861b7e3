/**
 * One of a closed set of words in request JSON, in any case of letters.
 */
import { illegalArgument } from '@shoal/core';

export function oneOf<T extends string>(known: readonly T[], text: string, what: string): T {
  const found = known.find((name) => name === text.toLowerCase());
  if (found === undefined) throw illegalArgument(`illegal ${what} [${text}]`);
  return found;
}
