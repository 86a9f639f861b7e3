/**
 * `lenient`: a value that does not fit its field matches nothing, where it would fail the request.
 */
import { isShoalError, type ShoalError } from '@shoal/core';
import { noneWeight, type Weight } from '../weight/weight.ts';

/** No match where making the weight fails, if it may fail. */
export function lenientWeight(isLenient: boolean, path: string, make: () => Weight): Weight {
  try {
    return make();
  } catch (error) {
    if (isLenient && isShoalError(error)) return failedWeight(path, error);
    throw error;
  }
}

/** No match, and why there is none. */
export function failedWeight(path: string, error: ShoalError): Weight {
  const { type, reason, causedBy } = error;
  // What is no date names what it was read from once more.
  const told = type === 'parse_exception' && causedBy !== undefined ? `${reason}: [${causedBy.reason}]` : reason;
  return noneWeight(`failed [${path}] query, caused by ${type}:[${told}]`);
}
