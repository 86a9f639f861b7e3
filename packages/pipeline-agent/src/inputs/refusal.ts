/**
 * Errors of the queue on their way to an input in another thread, which sees them as those of its own.
 */
import { isShoalError, messageOf, ShoalError } from '@shoal/core';
import type { Refusal } from '../messages/input-messages.ts';

export function refusalOf(error: unknown): Refusal {
  if (isShoalError(error)) return { type: error.type, status: error.status, message: error.message };
  return { type: 'pipeline_exception', status: 500, message: textOf(error) };
}

export function errorOf({ type, status, message }: Refusal): ShoalError {
  return new ShoalError(type, status, message);
}

export function textOf(error: unknown): string {
  return messageOf(error);
}
