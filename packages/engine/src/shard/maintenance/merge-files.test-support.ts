/**
 * Files of merges on a disk of their own.
 */
import type { Disk } from '@shoal/runtime';
import type { MergeFiles } from './segment-merging.ts';

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
  };
}
