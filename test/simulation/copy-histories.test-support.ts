/**
 * What must hold of the numbered operations of all copies of a shard: a (sequence number, term) is one operation wherever it is, what is
 * acknowledged is durable on every copy in sync and in the history of every new primary, and copies that are quiet have one history.
 */
import type { CopyState } from '@shoal/replication';
import type { HistoryOperation } from '@shoal/shard-api';
import { demand } from './violation.test-support.ts';

/** What a copy executed under each sequence number, as far as somebody saw: a start executes what no commit has. */
export type ExecutedOperations = ReadonlyMap<number, ExecutedOperation>;

export interface ExecutedOperation {
  readonly term: number;
  readonly content: string;
}

export type ObservedState = Pick<
  CopyState<HistoryOperation>,
  'allocationId' | 'phase' | 'term' | 'processed' | 'persisted' | 'unconfirmed' | 'globalCheckpoint'
> & {
  readonly primary: Pick<NonNullable<CopyState<HistoryOperation>['primary']>, 'handOff' | 'writes'> | null;
};

export interface ObservedCopy {
  readonly state: ObservedState;
  /** Empty while nothing is known of it. */
  readonly executed: ExecutedOperations;
}

export interface AcknowledgedOperation {
  readonly seqNo: number;
  readonly term: number;
  readonly content: string;
}

interface ToldOperation extends AcknowledgedOperation {
  /** Primary term of the shard when the client had heard of it: a primary of an older one may still begin, and lack it. */
  readonly toldInTerm: number;
}

interface ShardHistory {
  /** Contents by sequence number and term. */
  readonly operations: Map<string, string>;
  readonly acknowledged: Map<number, ToldOperation>;
  readonly primaryOfTerm: Map<number, string>;
}

export function contentOf(operation: HistoryOperation): string {
  if (operation.kind === 'noop') return 'no-op';
  if (operation.kind === 'delete') return deletionOf(operation.id);
  const { value } = JSON.parse(new TextDecoder().decode(operation.source)) as { readonly value?: string };
  return documentOf(operation.id, value ?? '');
}

export function documentOf(id: string, value: string | null): string {
  return value === null ? deletionOf(id) : `${id}=${value}`;
}

function deletionOf(id: string): string {
  return `${id} deleted`;
}

export class CopyHistories {
  /** Acknowledged operations that were looked for on copies. */
  checkedCount = 0;
  readonly #shards = new Map<string, ShardHistory>();

  /** A copy executes an operation, of whatever primary. */
  executed(shard: string, { seqNo, term, content }: AcknowledgedOperation): void {
    const { operations, acknowledged } = this.#shard(shard);
    const known = operations.get(`${seqNo}/${term}`) ?? content;
    demand(known === content, () => `operation ${seqNo}/${term} of ${shard} is ${known}, and ${content} elsewhere`);
    operations.set(`${seqNo}/${term}`, known);
    const told = acknowledged.get(seqNo);
    demand(
      told === undefined || told.term !== term || told.content === content,
      () => `operation ${seqNo}/${term} of ${shard} was acknowledged as ${told?.content}, and is ${content}`,
    );
  }

  /** @param copies in sync for the cluster manager when or after the client heard of it, in the primary term `toldInTerm` or a later one */
  acknowledged(shard: string, operation: ToldOperation, copies: readonly ObservedCopy[]): void {
    const { acknowledged, operations } = this.#shard(shard);
    const { seqNo, term, content } = operation;
    const known = acknowledged.get(seqNo) ?? operation;
    demand(
      known.term === term && known.content === content,
      () => `${seqNo} of ${shard} is acknowledged as ${printed(known)}, and as ${printed(operation)}`,
    );
    acknowledged.set(seqNo, operation);
    const executed = operations.get(`${seqNo}/${term}`);
    demand(
      executed === content,
      () => `${printed(operation)} of ${shard} is acknowledged, what was executed is ${executed}`,
    );
    for (const copy of copies) {
      this.checkedCount += 1;
      demand(
        isDurable(copy.state, seqNo),
        () =>
          `${printed(operation)} of ${shard} is acknowledged, and not durable on ${printedCopy(copy.state)}, which is in sync`,
      );
      hasOperation(shard, copy, operation);
    }
  }

  /** The state of a copy changed. */
  stepped(shard: string, before: ObservedState, after: ObservedState): void {
    const { allocationId } = after;
    demand(
      after.term >= before.term,
      () => `term of ${allocationId} of ${shard} goes back from ${before.term} to ${after.term}`,
    );
    demand(
      after.globalCheckpoint >= before.globalCheckpoint || before.phase === 'recovering',
      () =>
        `global checkpoint of ${allocationId} of ${shard} goes back from ${before.globalCheckpoint} to ${after.globalCheckpoint}`,
    );
    if (after.phase !== 'promoting' && after.phase !== 'primary') return;
    const { handOff, writes } = after.primary ?? { handOff: null, writes: new Map() };
    demand(
      handOff === null || (handOff.ask === null && !handOff.isCommitted) || writes.size === 0,
      () => `${allocationId} of ${shard} hands over, and ${writes.size} writes end with nobody knowing their outcome`,
    );
    const { primaryOfTerm } = this.#shard(shard);
    const primary = primaryOfTerm.get(after.term) ?? allocationId;
    demand(
      primary === allocationId,
      () => `term ${after.term} of ${shard} has two primaries: ${primary}, ${allocationId}`,
    );
    primaryOfTerm.set(after.term, primary);
  }

  /** A copy leads from now on: everything that was ever acknowledged is in its history. */
  promoted(shard: string, copy: ObservedCopy): void {
    for (const operation of this.#shard(shard).acknowledged.values()) {
      if (operation.toldInTerm > copy.state.term) continue;
      this.checkedCount += 1;
      demand(
        has(copy.state.processed, operation.seqNo),
        () =>
          `${printed(operation)} of ${shard} was acknowledged, and is not there on its new primary ${printedCopy(copy.state)}`,
      );
      hasOperation(shard, copy, operation);
    }
  }

  /** @param inSync copies that the cluster manager counts in sync while this primary leads */
  agreed(shard: string, primary: ObservedState, inSync: readonly ObservedState[]): void {
    const { globalCheckpoint } = primary;
    for (const copy of inSync) {
      let durable = copy.persisted.checkpoint;
      while (durable < globalCheckpoint && isDurable(copy, durable + 1)) durable += 1;
      demand(
        durable >= globalCheckpoint,
        () => `${printedCopy(copy)} of ${shard} is in sync, and its primary says that ${globalCheckpoint} is agreed`,
      );
    }
  }

  /** All copies of a shard when everything is quiet. */
  converged(shard: string, copies: readonly ObservedCopy[]): void {
    const merged = new Map<number, ExecutedOperation>();
    for (const copy of copies) {
      const { allocationId, processed, persisted, globalCheckpoint, unconfirmed } = copy.state;
      demand(
        processed.above.length === 0 && persisted.above.length === 0,
        () => `${printedCopy(copy.state)} of ${shard} has gaps`,
      );
      demand(
        globalCheckpoint === processed.checkpoint && persisted.checkpoint === processed.checkpoint,
        () => `${printedCopy(copy.state)} of ${shard} is not at its global checkpoint`,
      );
      demand(
        unconfirmed.length === 0,
        () => `${allocationId} of ${shard} has operations that nobody confirmed: ${JSON.stringify(unconfirmed)}`,
      );
      this.promoted(shard, copy);
      for (const [seqNo, operation] of copy.executed) {
        if (seqNo > processed.checkpoint) continue;
        const known = merged.get(seqNo) ?? operation;
        demand(
          known.term === operation.term && known.content === operation.content,
          () =>
            `copies of ${shard} have ${printed({ seqNo, ...known })} and ${printed({ seqNo, ...operation })}, the last on ${allocationId}`,
        );
        merged.set(seqNo, known);
      }
    }
    const [first] = copies;
    for (const { state } of copies) {
      demand(
        state.processed.checkpoint === first?.state.processed.checkpoint,
        () => `copies of ${shard} end at ${copies.map(({ state: { processed } }) => processed.checkpoint).join()}`,
      );
    }
  }

  #shard(shard: string): ShardHistory {
    const known = this.#shards.get(shard);
    if (known !== undefined) return known;
    const begun = { operations: new Map(), acknowledged: new Map(), primaryOfTerm: new Map() };
    this.#shards.set(shard, begun);
    return begun;
  }
}

/** What lies above a rollback stays in the log, and counts again for a copy that leads. */
function isDurable({ persisted, unconfirmed }: ObservedState, seqNo: number): boolean {
  return has(persisted, seqNo) || unconfirmed.some(({ first, last }) => first <= seqNo && seqNo <= last);
}

function has({ checkpoint, above }: ObservedState['processed'], seqNo: number): boolean {
  return seqNo <= checkpoint || above.some(({ first, last }) => first <= seqNo && seqNo <= last);
}

function hasOperation(shard: string, { state, executed }: ObservedCopy, operation: AcknowledgedOperation): void {
  const there = executed.get(operation.seqNo);
  demand(
    there === undefined || (there.term === operation.term && there.content === operation.content),
    () =>
      `${printed(operation)} of ${shard} was acknowledged; ${printedCopy(state)} has ${there?.content} of term ${there?.term} there`,
  );
}

function printed({ seqNo, term, content }: AcknowledgedOperation): string {
  return `${seqNo}/${term} (${content})`;
}

function printedCopy({ allocationId, phase, term, processed, persisted, globalCheckpoint }: ObservedState): string {
  const own = `executed ${JSON.stringify(processed)}, durable ${JSON.stringify(persisted)}, agreed ${globalCheckpoint}`;
  return `${allocationId} (${phase} of term ${term}, ${own})`;
}
