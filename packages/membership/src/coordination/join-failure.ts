/** Kinds of the reasons for which a node is not let into a cluster, read from their texts, which cross 9300 as such. */
import { isDuplicateReason } from '@shoal/consensus';
import type { PeerFailure } from '@shoal/protocol';

export function joinFailure(reason: string): PeerFailure | null {
  if (isDuplicateReason(reason) || reason.includes('with the same id is running')) return 'sameNodeId';
  if (reason.includes('with a different cluster uuid')) return 'foreignCluster';
  if (reason.includes('may not join a cluster') || reason.includes('was created by a newer version')) return 'version';
  if (reason.includes('discovery.type is single-node')) return 'singleNode';
  if (reason.includes('is out of reach of term')) return 'term';
  return null;
}
