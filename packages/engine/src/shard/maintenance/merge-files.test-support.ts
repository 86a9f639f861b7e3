/**
 * Files of merges on a disk of their own, and settings under which few segments are merged.
 */
import type { Disk } from '@shoal/runtime';
import { MERGE_POLICY_DEFAULTS } from '@shoal/schema';
import type { MergeFiles, MergeSettings } from './segment-merging.ts';

/** Whatever there is becomes one segment, up to ten at a time. */
export const EAGER: MergeSettings = {
  mergePolicy: { ...MERGE_POLICY_DEFAULTS, segmentsPerTier: 1 },
  storedCodec: 'lz4',
};

/** `between`: called before each file is made. */
export function mergeFilesOn(disk: Disk, between: () => void = () => {}): MergeFiles {
  const create = (name: string) => {
    between();
    return disk.open(name, 'create');
  };
  return {
    createFiles: async (name, stored, container) => {
      stored.attach(name, await create(name), () => {});
      container.attach(`${name}.seg`, await create(`${name}.seg`), () => {});
    },
    createSpill: async (name, spill) => spill.attach(await create(`${name}.spill`), () => {}),
    removeMergeFiles: async () => {},
    freeBytes: async () => (await disk.space('.')).freeBytes,
  };
}
