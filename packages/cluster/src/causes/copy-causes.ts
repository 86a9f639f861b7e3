/**
 * Registry of the causes for which a copy is not started. A cause is one file in `causes` and one line here.
 */
import { allocationDisabled } from './allocation-disabled.ts';
import type { CopyCause } from './copy-case.ts';
import { damaged } from './damaged.ts';
import { delayed } from './delayed.ts';
import { diskWatermark } from './disk-watermark.ts';
import { filtered } from './filtered.ts';
import { forbidden } from './forbidden.ts';
import { noDataNode } from './no-data-node.ts';
import { primaryLost } from './primary-lost.ts';
import { recovering } from './recovering.ts';
import { retriesExhausted } from './retries-exhausted.ts';
import { retryPending } from './retry-pending.ts';
import { shardsLimit } from './shards-limit.ts';
import { storesUnknown } from './stores-unknown.ts';
import { throttled } from './throttled.ts';
import { tooManyCopies } from './too-many-copies.ts';
import { unawareNode } from './unaware-node.ts';

/** The first that explains a copy is the whole reason. */
export const WHOLE_CAUSES: readonly CopyCause[] = [
  recovering,
  noDataNode,
  damaged,
  retryPending,
  delayed,
  storesUnknown,
  primaryLost,
  tooManyCopies,
];

/** Rules that keep a copy from the node that lacks least: all of them must go. */
export const JOINT_CAUSES: readonly CopyCause[] = [
  retriesExhausted,
  allocationDisabled,
  filtered,
  diskWatermark,
  shardsLimit,
  unawareNode,
];

/** Reasons that are none as long as a rule says no. */
export const LAST_CAUSES: readonly CopyCause[] = [throttled, forbidden];
