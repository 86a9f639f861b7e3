/**
 * Which files a shard was opened from, and where they came from: numbers behind `_recovery`.
 */
import type { ShardRecovery } from '@shoal/shard-api';
import type { SegmentSet } from '../commit/segment-set.ts';
import type { InstalledFiles } from '../recovery/file-recovery.ts';
import type { ShardManifest } from '../snapshot/shard-manifest.ts';

/** Files of the commit that was opened: two a segment, and one of deleted documents where it has any. */
export function openedFiles(
  { states }: SegmentSet,
  restored: ShardManifest | null,
  installed: InstalledFiles | undefined,
): Omit<ShardRecovery, 'indexTimeMs' | 'translogOperations' | 'translogTimeMs'> {
  if (restored !== null) {
    const count = restored.files.length;
    const bytes = restored.files.reduce((sum, file) => sum + file.bytes, 0);
    return { fileCount: count, fileBytes: bytes, copiedFileCount: count, copiedFileBytes: bytes };
  }
  if (installed !== undefined) {
    const { fileCount, fileBytes, copiedFileCount, copiedFileBytes } = installed;
    return { fileCount, fileBytes, copiedFileCount, copiedFileBytes };
  }
  return {
    fileCount: states.reduce((count, { liveFile }) => count + (liveFile === null ? 2 : 3), 0),
    fileBytes: states.reduce((bytes, { segment }) => bytes + segment.sizeBytes, 0),
    copiedFileCount: 0,
    copiedFileBytes: 0,
  };
}
