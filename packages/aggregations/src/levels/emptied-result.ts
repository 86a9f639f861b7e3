/**
 * A result as it would be without any document: what the buckets between others show of their children.
 */
import { partialKindOf } from '../kinds/aggregation-kinds.ts';
import { asBucketed, type PartialNode } from '../tree/partial-node.ts';

export function emptiedResult(partial: PartialNode): PartialNode {
  const kind = partialKindOf(partial);
  return kind.family === 'leaf' ? kind.emptied(partial) : kind.emptied(asBucketed(partial), emptiedResult);
}
