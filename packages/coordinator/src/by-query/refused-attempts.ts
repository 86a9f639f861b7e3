/**
 * Work that was refused because a queue was full (429): tried again, each time after a longer wait, so that what runs in the
 * background leaves room for what somebody waits for.
 */
export const TOO_MANY_REQUESTS = 429;
/** Attempts behind the first one. */
export const RETRIES_MAX = 11;

const RETRY_WAIT_MS = 500;
const RETRY_WAIT_GROWTH = 1.6;
const RETRY_WAIT_MS_MAX = 30_000;

/** Wait before the attempt of that number, counted from 1 behind the first one. */
export function retryWaitMs(retry: number): number {
  return Math.min(RETRY_WAIT_MS_MAX, RETRY_WAIT_MS * RETRY_WAIT_GROWTH ** (retry - 1));
}
