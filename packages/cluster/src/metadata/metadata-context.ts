/** Inputs of metadata changes beside the state: those of allocation, and fresh UUIDs. */
import type { ConfigFiles } from '@shoal/core';
import type { AllocationContext } from '../allocation/rules/allocation-context.ts';

export interface MetadataContext extends AllocationContext {
  readonly newUuid: () => string;
  /** Files of this node that settings of indices name. */
  readonly files: ConfigFiles;
}
