/** What changes of metadata may know beside the state: as for allocation, and fresh UUIDs. */
import type { AllocationContext } from '../allocation/allocation-context.ts';

export interface MetadataContext extends AllocationContext {
  readonly newUuid: () => string;
}
