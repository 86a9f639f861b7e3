/**
 * What must hold of all nodes together, checked after every event: the global invariants of the consensus.
 *
 * States are recorded when they are proposed, with the state they were proposed upon as parent. A commit is noted when the
 * first leader counts its quorum or the first node is told.
 */
import type { AcceptedState, NodeId, VotingConfig } from '../steps/accepted-state.ts';
import { isQuorum } from '../steps/voting-config.ts';

export class ConsensusViolation extends Error {
  override readonly name = 'ConsensusViolation';
}

interface Published {
  readonly key: string;
  readonly term: number;
  readonly version: number;
  readonly stateUuid: string;
  readonly acceptedConfig: VotingConfig;
  readonly parent: Published | null;
}

export class ConsensusChecker {
  private readonly leaderOfTerm = new Map<number, NodeId>();
  private readonly published = new Map<string, Published>();
  /** Newest committed state; every older one is its ancestor, or the check that added it failed. */
  private newestCommitted: Published | null = null;
  private readonly committedKeys = new Set<string>();
  commitCount = 0;

  elected(node: NodeId, term: number): void {
    const leader = this.leaderOfTerm.get(term) ?? node;
    require(leader === node, `term ${term} has two leaders: ${leader} and ${node}`);
    this.leaderOfTerm.set(term, node);
  }

  isKnown<V>(state: AcceptedState<V>): boolean {
    return this.published.get(keyOf(state))?.stateUuid === state.stateUuid;
  }

  stateUuidOf(state: { readonly term: number; readonly version: number }): string {
    return this.published.get(keyOf(state))?.stateUuid ?? '';
  }

  /** `next` is proposed by `node` upon `parent`, which that node has accepted. */
  proposed<V>(node: NodeId, parent: AcceptedState<V>, next: AcceptedState<V>): void {
    this.elected(node, next.term);
    const key = keyOf(next);
    const same = this.published.get(key);
    require(same === undefined, `${key} is published twice: ${same?.stateUuid} and ${next.stateUuid}`);
    const state: Published = {
      key,
      term: next.term,
      version: next.version,
      stateUuid: next.stateUuid,
      acceptedConfig: next.acceptedConfig,
      parent: this.published.get(keyOf(parent)) ?? null,
    };
    this.published.set(key, state);
    const newest = this.newestCommitted;
    if (newest !== null) {
      require(!isNewer(state, newest) ||
        descendsFrom(state, newest), `${key} does not descend from committed ${newest.key}`);
    }
  }

  /** `node` has accepted this: it must be what was published under that term and version. */
  acceptedBy<V>(node: NodeId, state: AcceptedState<V>): void {
    if (state.term === 0) return;
    const published = this.published.get(keyOf(state));
    require(published?.stateUuid ===
      state.stateUuid, `${node} accepted ${keyOf(state)} ${state.stateUuid}, published is ${published?.stateUuid}`);
  }

  /** Known to be committed by now. `durable`: the nodes that hold it on disk. */
  committed(term: number, version: number, durable: ReadonlySet<NodeId>): void {
    const key = `${term}/${version}`;
    const state = this.published.get(key);
    require(state !== undefined, `${key} is committed and was never published`);
    if (state === undefined || this.committedKeys.has(key)) return;
    this.committedKeys.add(key);
    this.commitCount += 1;
    require(isQuorum(
      durable,
      state.acceptedConfig,
    ), `${key} is committed, held durably only by ${[...durable]} of ${state.acceptedConfig}`);
    for (const other of this.published.values()) {
      require(!isNewer(other, state) ||
        descendsFrom(other, state), `${other.key} does not descend from committed ${key}`);
    }
    const newest = this.newestCommitted;
    if (newest === null) {
      this.newestCommitted = state;
      return;
    }
    const [older, newer] = isNewer(state, newest) ? [newest, state] : [state, newest];
    require(descendsFrom(newer, older), `committed ${newer.key} does not descend from committed ${older.key}`);
    this.newestCommitted = newer;
  }
}

function require(condition: boolean, message: string): void {
  if (!condition) throw new ConsensusViolation(message);
}

function keyOf(state: { readonly term: number; readonly version: number }): string {
  return `${state.term}/${state.version}`;
}

function isNewer(a: Published, b: Published): boolean {
  return a.term > b.term || (a.term === b.term && a.version > b.version);
}

function descendsFrom(state: Published, ancestor: Published): boolean {
  let at: Published | null = state;
  while (at !== null && at !== ancestor && isNewer(at, ancestor)) at = at.parent;
  return at === ancestor;
}
