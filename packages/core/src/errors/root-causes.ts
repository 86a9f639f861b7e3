/**
 * Which error of a chain of causes is told first: the innermost that knows where it comes from.
 */
import type { ShoalError } from './shoal-error.ts';

/** Errors that tell nobody where they come from: what reports them is the root cause, not they themselves. */
const WITHOUT_PLACE: ReadonlySet<string> = new Set([
  'illegal_argument_exception',
  'illegal_state_exception',
  'null_pointer_exception',
  'number_format_exception',
  'unsupported_operation_exception',
  'date_time_exception',
  'date_time_parse_exception',
  'json_parse_exception',
]);

/** Errors of the structure of a body. */
const STRUCTURE: ReadonlySet<string> = new Set(['x_content_parse_exception', 'named_object_not_found_exception']);

/** Root causes of an error with this cause: empty where the error is the first that knows where it comes from. */
export function rootCausesOf(cause: ShoalError): readonly ShoalError[] {
  return STRUCTURE.has(cause.type) ? [] : innermostCauses(cause);
}

/** Root causes of an error in the structure of a body: those of its cause, whatever it is. */
export function innermostCauses(cause: ShoalError): readonly ShoalError[] {
  if (cause.rootCauses.length > 0) return cause.rootCauses;
  return WITHOUT_PLACE.has(cause.type) ? [] : [cause];
}
