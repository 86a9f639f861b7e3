/** Errors inside the answer of `_simulate`: they have no status of their own. */
import { renderErrorBody, type ShoalError } from '@shoal/core';

export function errorBody(error: ShoalError): unknown {
  return renderErrorBody(error).error;
}
