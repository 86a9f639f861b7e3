/**
 * An error that S3 answered with: its status and its own name for what is wrong.
 */
import { ShoalError } from '@shoal/core';

/** Codes of errors that pass, whatever the status. */
const PASSING: readonly string[] = [
  'SlowDown',
  'RequestTimeout',
  'InternalError',
  'ServiceUnavailable',
  'OperationAborted',
];

export interface S3Refusal {
  readonly status: number;
  /** Such as `NoSuchKey`; the status where the answer has no name for it. */
  readonly code: string;
  readonly message: string;
}

export class S3Failure extends ShoalError {
  readonly answered: S3Refusal;

  constructor(what: string, refusal: S3Refusal) {
    super('http_exception', 502, `S3 answered ${what} with ${refusal.code}: ${refusal.message}`);
    this.answered = refusal;
  }
}

/** Whether the same call may be answered better when it is made again. */
export function isPassing({ status, code }: S3Refusal): boolean {
  return status >= 500 || status === 429 || PASSING.includes(code);
}

/** Whether the server understood the call and will refuse it again. */
export function isLasting(error: unknown): boolean {
  return error instanceof S3Failure && !isPassing(error.answered);
}
