/** `drop`: the document is not indexed, and that is no failure. */
import type { ProcessorType } from '../../contract/processor.ts';

export const dropProcessor: ProcessorType = {
  type: 'drop',
  create: () => ({ kind: 'simple', execute: () => 'dropped' }),
};
