/** `max_retry`: a copy that failed to start, or to move, too often is left alone until somebody asks for another try. */
import { maxRetries } from '../rules/allocation-retry.ts';
import { type Decider, no, yes } from './decider.ts';

export const maxRetry: Decider = {
  name: 'max_retry',
  bindsExistingPrimaries: true,
  canAllocate: ({ state, copy }) => {
    const max = maxRetries(state, copy.index);
    const moves = copy.failedRelocations ?? 0;
    if (moves >= max && moves > 0) {
      return no(
        () =>
          `shard has exceeded the maximum number of retries [${max}] on failed relocation attempts - manually call [POST /_cluster/reroute?retry_failed] to retry, [failed_attempts[${moves}]]`,
      );
    }
    const failures = copy.unassigned?.failedAllocations ?? 0;
    if (failures === 0) return yes(() => 'shard has no previous failures');
    return copy.state === 'UNASSIGNED' && failures >= max
      ? no(
          () =>
            `shard has exceeded the maximum number of retries [${max}] on failed allocation attempts - manually call [POST /_cluster/reroute?retry_failed] to retry, [last failure: ${copy.unassigned?.details ?? 'unknown'}]`,
        )
      : yes(() => `shard has failed allocating [${failures}] times but [${max}] retries are allowed`);
  },
};
