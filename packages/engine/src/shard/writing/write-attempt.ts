/**
 * What comes of executing an operation: a result, or what it waits for.
 */
import type { WriteResult } from '@shoal/shard-api';
import { MissingMappings } from './missing-mappings.ts';
import { MissingRoom } from './missing-room.ts';

/** Not a result: nothing was done, and the operation is executed again when there is what it lacks. */
export type Unfinished = MissingMappings | MissingRoom;

export type WriteAttempt = WriteResult | Unfinished;

export function isUnfinished(attempt: WriteAttempt): attempt is Unfinished {
  return attempt instanceof MissingMappings || attempt instanceof MissingRoom;
}
