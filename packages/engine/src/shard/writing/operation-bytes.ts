/**
 * What operations bring to a shard, roughly: a document's segment takes about as much memory as its source.
 */
import { type OperationList, PackedOperations } from '@shoal/shard-api';

/** Without the first `from` operations. */
export function writtenBytes(operations: OperationList, from: number): number {
  if (operations instanceof PackedOperations) return operations.bodyBytes(from);
  let bytes = 0;
  for (let at = from; at < operations.length; at++) {
    const operation = operations.at(at);
    if (operation?.kind === 'index') bytes += operation.source.length;
  }
  return bytes;
}
