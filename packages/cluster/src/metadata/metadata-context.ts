/** Inputs of metadata changes beside the state: those of allocation, and fresh UUIDs. */
import type { AllocationContext } from '../allocation/allocation-context.ts';

export interface MetadataContext extends AllocationContext {
  readonly newUuid: () => string;
}
