/**
 * Errors of templates in Elasticsearch's words.
 */
import { ShoalError } from '@shoal/core';

/** 400: faults of a template, all of them. */
export function invalidTemplate(name: string, faults: readonly string[]): ShoalError {
  return new ShoalError(
    'invalid_index_template_exception',
    400,
    `index_template [${name}] invalid, cause [${numbered(faults)}]`,
  );
}

/** 400: a request that no state could make right. */
export function validationFailed(fault: string): ShoalError {
  return new ShoalError('action_request_validation_exception', 400, numbered([fault]));
}

function numbered(faults: readonly string[]): string {
  return `Validation Failed: ${faults.map((fault, i) => `${i + 1}: ${fault};`).join('')}`;
}
