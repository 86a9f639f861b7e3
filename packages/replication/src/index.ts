export { type CopyContext, DEFAULT_CONTEXT } from './copy/copy-context.ts';
export type { CopyEffect, CopyEvent, ManagerAnswer, ManagerRequest, ReplyOutcome } from './copy/copy-events.ts';
export type { CopyRequest, CopyResponse } from './copy/copy-messages.ts';
export { type CopyState, EMPTY_STORE, openCopy, type StoredCopy } from './copy/copy-state.ts';
export type { CommitFile, RetentionLease, SafeCommit } from './copy/recovery-state.ts';
export {
  assignPrimary,
  assignReplica,
  cancelMove,
  copyFailed,
  copyStarted,
  forcePrimary,
  type GroupChange,
  handOver,
  newGroup,
  nodeLeft,
  startMove,
} from './group/group-changes.ts';
export type { ShardGroup } from './group/shard-group.ts';
export { type CopyChoice, type CopyPreference, copiesInOrder, type ReadableCopy } from './reading/copy-choice.ts';
export { observed, pulledTowards, type Statistics } from './reading/copy-statistics.ts';
export { ALL_RULES } from './rules/replication-rules.ts';
export type { SeqNoRange, SeqNoSet } from './sequence/seq-no-ranges.ts';
export { changesDocument, meetsCondition, replacesInLog, type ShardOperation } from './sequence/shard-operation.ts';
export { type CopyStep, stepCopy } from './step/copy-step.ts';
