/**
 * Errors of requests that several aggregations raise, with Elasticsearch's types.
 */
import { ShoalError } from '@shoal/core';

/** 500, which is the API's status for it: an aggregation is at a position of the tree where it may not be. */
export function initializationError(reason: string): ShoalError {
  return new ShoalError('aggregation_initialization_exception', 500, reason);
}

/** 500: a shard cannot run an aggregation as it was asked for. */
export function executionError(reason: string): ShoalError {
  return new ShoalError('aggregation_execution_exception', 500, reason);
}

/** 400: a pipeline has nothing to work on. */
export function validationError(problems: readonly string[]): ShoalError {
  const list = problems.map((problem, at) => `${at + 1}: ${problem};`).join('');
  return new ShoalError('action_request_validation_exception', 400, `Validation Failed: ${list}`);
}
