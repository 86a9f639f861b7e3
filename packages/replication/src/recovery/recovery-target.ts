/**
 * The target of a recovery: a copy that was assigned to this node and is not in sync yet.
 *
 * It goes back to what is known to be agreed, so that nothing is left of a primary that is gone, asks the primary, and takes
 * files or operations from it until the primary says that it has everything.
 */
import { assert } from '@shoal/core';
import type { CopyRequest } from '../copy/copy-messages.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { ShardGroup } from '../group/shard-group.ts';
import { sendToCopy } from '../primary/copy-requests.ts';
import { takeGlobalCheckpoint } from '../replica/replicated-operations.ts';
import { highestSeqNo, seqNosThrough } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';

type Request<O extends ShardOperation, Kind> = Extract<CopyRequest<O>, { readonly kind: Kind }>;

/** Begins: the copy was assigned here, and its store is open. */
export function beginRecovery<O extends ShardOperation>(turn: CopyTurn<O>, group: ShardGroup): void {
  const { allocationId, globalCheckpoint, persisted, processed, historyUuid } = turn.state;
  const { primary, primaryTerm } = group;
  assert(primary !== null && primary !== allocationId, `copy ${allocationId} would recover from itself`);
  if (turn.rules.termPersisted) turn.emit({ kind: 'persistTerm', term: primaryTerm });
  const isUsable = historyUuid !== null && persisted.checkpoint >= globalCheckpoint;
  turn.patch({
    phase: 'recovering',
    term: primaryTerm,
    knownTerm: primaryTerm,
    target: { step: 'asking', startingSeqNo: isUsable ? globalCheckpoint + 1 : null },
  });
  if (isUsable && highestSeqNo(processed) > globalCheckpoint && turn.rules.targetDropsTail) {
    const agreed = seqNosThrough(globalCheckpoint);
    turn.patch({ processed: agreed, persisted: agreed, unconfirmed: [] });
    turn.emit({ kind: 'rollback', job: turn.startJob({ kind: 'rollback' }), to: globalCheckpoint, drops: true });
  }
  ask(turn);
}

function ask<O extends ShardOperation>(turn: CopyTurn<O>): void {
  const { group, term, historyUuid, allocationId, target, storedFiles } = turn.state;
  if (group?.primary === null || group?.primary === undefined || target === null) return;
  const { startingSeqNo } = target;
  sendToCopy(
    turn,
    group.primary,
    { kind: 'startRecovery', term, target: allocationId, historyUuid, startingSeqNo, files: storedFiles },
    null,
  );
}

/** A chunk came and lies in a temporary file; durable, checked and in its place only with `installFiles`. */
export function takeChunk<O extends ShardOperation>(
  turn: CopyTurn<O>,
  replyTo: string,
  { file, chunk, term }: Request<O, 'recoveryChunk'>,
): void {
  if (!isFrom(turn, term)) {
    refuse(turn, replyTo);
    return;
  }
  const { target } = turn.state;
  if (target?.step === 'asking') turn.patch({ target: { ...target, step: 'files' } });
  // A late copy of a chunk that is installed already changes nothing.
  if (turn.state.target?.step === 'files') turn.emit({ kind: 'keepChunk', replyTo, file, chunk });
  turn.emit({ kind: 'answer', replyTo, response: { kind: 'taken' } });
}

export function installFiles<O extends ShardOperation>(
  turn: CopyTurn<O>,
  replyTo: string,
  request: Request<O, 'installFiles'>,
): void {
  const { target, jobs } = turn.state;
  if (!isFrom(turn, request.term) || target === null) {
    refuse(turn, replyTo);
    return;
  }
  if (target.step === 'operations') {
    turn.emit({ kind: 'answer', replyTo, response: { kind: 'installed', isSound: true } });
    return;
  }
  // It is being done: the source asks again when it gets no answer.
  if ([...jobs.values()].some(({ kind }) => kind === 'install')) return;
  const { commit, historyUuid } = request;
  const job = turn.startJob({ kind: 'install', replyTo, commit, historyUuid });
  turn.emit({ kind: 'installFiles', job, commit, historyUuid, verifies: turn.rules.checksumsVerified });
}

/** Files are in place: the copy is what the commit is, and its log is empty. */
export function filesInstalled<O extends ShardOperation>(
  turn: CopyTurn<O>,
  job: { readonly replyTo: string; readonly commit: { readonly through: number }; readonly historyUuid: string },
  isSound: boolean,
): void {
  const { target } = turn.state;
  if (isSound && target !== null) {
    const { through } = job.commit;
    const installed = seqNosThrough(through);
    turn.patch({
      processed: installed,
      persisted: installed,
      unconfirmed: [],
      unsynced: [],
      globalCheckpoint: through,
      historyUuid: job.historyUuid,
      historyFrom: through + 1,
      target: { step: 'operations', startingSeqNo: through + 1 },
    });
    turn.emit({ kind: 'keepGlobalCheckpoint', globalCheckpoint: through });
  }
  turn.emit({ kind: 'answer', replyTo: job.replyTo, response: { kind: 'installed', isSound } });
}

/** The source has sent everything up to where this copy was tracked. */
export function finalizeTarget<O extends ShardOperation>(
  turn: CopyTurn<O>,
  replyTo: string,
  request: Request<O, 'finalizeRecovery'>,
): void {
  if (!isFrom(turn, request.term)) {
    refuse(turn, replyTo);
    return;
  }
  takeGlobalCheckpoint(turn, request.globalCheckpoint);
  const { persisted, globalCheckpoint } = turn.state;
  const localCheckpoint = persisted.checkpoint;
  turn.emit({ kind: 'answer', replyTo, response: { kind: 'copied', localCheckpoint, globalCheckpoint } });
}

/** The primary counts this copy in sync: the cluster manager may know. */
export function recoveryEnded<O extends ShardOperation>(
  turn: CopyTurn<O>,
  replyTo: string,
  { term }: Request<O, 'endRecovery'>,
): void {
  const { allocationId, phase, persisted, globalCheckpoint } = turn.state;
  if (phase !== 'replica' && !isFrom(turn, term)) {
    refuse(turn, replyTo);
    return;
  }
  if (phase === 'recovering') {
    // The question that began it may still be open: its answer went astray.
    turn.patch({ phase: 'replica', target: null, requests: new Map() });
    turn.ask({ kind: 'copyStarted', allocationId, primaryTerm: term });
  }
  const localCheckpoint = persisted.checkpoint;
  turn.emit({ kind: 'answer', replyTo, response: { kind: 'copied', localCheckpoint, globalCheckpoint } });
}

function isFrom<O extends ShardOperation>({ state }: CopyTurn<O>, term: number): boolean {
  return state.phase === 'recovering' && term === state.term;
}

function refuse<O extends ShardOperation>(turn: CopyTurn<O>, replyTo: string): void {
  turn.emit({ kind: 'answer', replyTo, response: { kind: 'refused', reason: 'notHere', term: turn.state.knownTerm } });
}
