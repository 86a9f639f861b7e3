/**
 * Why a request about a connector is not carried out.
 */
import { ShoalError } from '@shoal/core';

/** 400: a request that can be read, and may not be carried out as things are. */
export function refused(reason: string): ShoalError {
  return new ShoalError('status_exception', 400, reason);
}

/** 400: a request that misses or repeats something. */
export function invalid(reason: string): ShoalError {
  return new ShoalError('action_request_validation_exception', 400, `Validation Failed: 1: ${reason};`);
}
