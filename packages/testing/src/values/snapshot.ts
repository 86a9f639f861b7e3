/**
 * State of a node or a cluster at one moment, for `restore` of the one that took it.
 */
export interface Snapshot {
  /** Time of the node or cluster when it was taken, in milliseconds since 1970-01-01 UTC. */
  readonly takenAt: number;
  readonly indices: readonly string[];
}
