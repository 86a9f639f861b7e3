/**
 * Nodes with a copy of one shard each, a cluster manager and a network between them, all in virtual time: shells over stores in memory.
 */
import type { WireError } from '@shoal/core';
import {
  assignPrimary,
  assignReplica,
  copyFailed,
  copyStarted,
  DEFAULT_CONTEXT,
  type GroupChange,
  handOver,
  type ManagerAnswer,
  type ManagerRequest,
  newGroup,
  nodeLeft,
  type ShardGroup,
  startMove,
} from '@shoal/replication';
import type { WriteOperation } from '@shoal/shard-api';
import type { CopyOutput } from '../calls/copy-output.ts';
import { packBody } from '../calls/packed-body.ts';
import { CopyShell } from './copy-shell.ts';
import type { CopyWriteAnswer } from './copy-writes.ts';
import { FakeCopyStore } from './fake-copy-store.test-support.ts';
import { VirtualTime } from './virtual-time.test-support.ts';

const { rules } = DEFAULT_CONTEXT;
const LATENCY_MS = 6;
const REQUEST_TIMEOUT_MS = 400;

export interface WorldNode {
  readonly id: string;
  allocationId: string | null;
  store: FakeCopyStore;
  shell: CopyShell | null;
  isAlive: boolean;
  /** Version of the newest group that it knows. */
  applied: number;
}

export class CopyWorld {
  readonly time: VirtualTime;
  readonly nodes: readonly WorldNode[];
  group: ShardGroup;
  /** Messages that get lost, as a share. */
  loss = 0;
  /** Invariants that shells found broken. */
  readonly broken: unknown[] = [];
  /** Copies that said that they are over, each time that they did. */
  readonly closings: { readonly copy: string | null; readonly error: WireError | null }[] = [];
  #allocations = 0;

  constructor(seed: number, nodeCount: number) {
    this.time = new VirtualTime(seed);
    this.nodes = Array.from({ length: nodeCount }, (_, at) => ({
      id: `n${at}`,
      allocationId: null,
      store: new FakeCopyStore(this.time),
      shell: null,
      isAlive: true,
      applied: 0,
    }));
    this.group = newGroup(this.#newId('n0'), 'n0');
    this.#publish();
  }

  node(id: string): WorldNode {
    const found = this.nodes.find((node) => node.id === id);
    if (found === undefined) throw new Error(`no node ${id}`);
    return found;
  }

  get primary(): WorldNode | null {
    const { primary } = this.group;
    return this.nodes.find(({ allocationId, isAlive }) => isAlive && allocationId === primary) ?? null;
  }

  addReplica(id: string): void {
    const change = assignReplica(this.group, { allocationId: this.#newId(id), node: id }, rules);
    if (change.kind === 'changed') this.#change(change.group);
  }

  /** The primary begins to move. */
  moveTo(id: string): void {
    const replaces = this.group.primary ?? '';
    const change = startMove(this.group, { allocationId: this.#newId(id), node: id, replaces }, rules);
    if (change.kind === 'changed') this.#change(change.group);
  }

  /** The process ends: what was not synced is gone. */
  kill(id: string): void {
    const node = this.node(id);
    node.isAlive = false;
    node.shell?.close();
    node.shell = null;
    node.store = node.store.afterCrash();
    const change = nodeLeft(this.group, id, rules);
    if (change.kind === 'changed') this.#change(change.group);
  }

  revive(id: string): void {
    const node = this.node(id);
    node.isAlive = true;
    node.applied = 0;
    this.#apply(node, this.group);
    const { allocationId } = node;
    if (this.group.primary !== null || allocationId === null) return;
    const change = assignPrimary(this.group, { allocationId, node: id }, rules);
    if (change.kind === 'changed') this.#change(change.group);
  }

  /** @throws as the shell of the primary does */
  write(document: string): Promise<CopyWriteAnswer> {
    const shell = this.primary?.shell;
    if (shell === null || shell === undefined) return Promise.reject(new Error('no primary'));
    const operation: WriteOperation = {
      kind: 'index',
      opType: 'index',
      id: document,
      routing: null,
      isAutoId: false,
      source: new TextEncoder().encode('{}'),
      conditions: { ifSeqNo: null, ifPrimaryTerm: null, version: null, versionType: 'internal' },
    };
    return shell.write({ length: 1, at: () => operation }, 0, null, 0);
  }

  /** Copies that the cluster manager counts in sync, and their stores. */
  get inSync(): readonly WorldNode[] {
    return this.nodes.filter(({ allocationId }) => allocationId !== null && this.group.inSync.has(allocationId));
  }

  isGreen(copies: number): boolean {
    const started = [...this.group.copies.values()].filter(({ state }) => state === 'started');
    return started.length >= copies && this.group.copies.size === started.length;
  }

  /** Every copy is at rest, and knows what is agreed. */
  get isQuiet(): boolean {
    const states = this.nodes.flatMap(({ shell }) => (shell?.state ? [shell.state] : []));
    return states.every((state) => {
      const isOpen = state.jobs.size + state.requests.size + state.asks.size + state.deferred.length > 0;
      return !isOpen && state.globalCheckpoint === states[0]?.globalCheckpoint;
    });
  }

  /** What each copy is at, for the message of a test that fails. */
  describe(): string {
    const copies = this.nodes.map(({ id, isAlive, allocationId, shell }) => {
      const state = shell?.state ?? null;
      if (state === null) return `${id} ${allocationId} ${isAlive ? 'without a copy' : 'dead'}`;
      const { phase, term, target, jobs, requests, asks, primary, globalCheckpoint } = state;
      const recoveries = [...(primary?.recoveries ?? [])].map(([to, { step }]) => `${to} ${step.kind}`);
      const asked = [...requests.values()].map(({ to, request, attempts }) => `${request.kind} to ${to} ${attempts}`);
      const parts = [target?.step, [...jobs.values()].map(({ kind }) => kind), asked, asks.size, recoveries];
      return `${id} ${allocationId} ${phase} of ${term} at ${globalCheckpoint} ${JSON.stringify(parts)}`;
    });
    return JSON.stringify({ copies, group: [...this.group.copies], primary: this.group.primary }, null, 1);
  }

  #newId(node: string): string {
    this.#allocations++;
    return `${node}.${this.#allocations}`;
  }

  #change(group: ShardGroup): void {
    this.group = group;
    this.#publish();
  }

  #publish(): void {
    const { group } = this;
    for (const node of this.nodes) {
      void this.time.pass(LATENCY_MS).then(() => {
        if (node.isAlive) this.#apply(node, group);
      });
    }
  }

  #apply(node: WorldNode, group: ShardGroup): void {
    if (group.version <= node.applied) return;
    node.applied = group.version;
    const own = [...group.copies].find(([, { node: at }]) => at === node.id);
    const isNew = own !== undefined && own[1].state === 'initializing' && own[0] !== node.allocationId;
    const isBack = own !== undefined && own[1].state === 'initializing' && node.shell === null;
    if (own !== undefined && (isNew || isBack)) {
      node.shell?.close();
      node.store = node.store.afterCrash();
      const [allocationId] = own;
      node.allocationId = allocationId;
      const shell = new CopyShell({
        runtime: this.time,
        allocationId,
        store: node.store,
        port: (output) => this.#output(node, shell, output),
        syncDelayMs: () => 0,
        context: () => DEFAULT_CONTEXT,
        broken: (error) => this.broken.push(error),
      });
      node.shell = shell;
      void shell.open();
    }
    node.shell?.groupChanged(group);
  }

  #output(node: WorldNode, shell: CopyShell, output: CopyOutput): void {
    switch (output.kind) {
      case 'send':
        void this.#send(shell, output);
        return;
      case 'askManager':
        void this.#ask(shell, output.ask, output.request);
        return;
      case 'closed':
        this.closings.push({ copy: node.allocationId, error: output.error });
        if (node.shell === shell) node.shell = null;
        return;
    }
  }

  async #send(from: CopyShell, { requestId, to, call }: Extract<CopyOutput, { readonly kind: 'send' }>): Promise<void> {
    const target = this.nodes.find(({ allocationId }) => allocationId === to);
    const late = this.time.pass(0).then(
      () =>
        new Promise<null>((resolve) => {
          this.time.sched.after(REQUEST_TIMEOUT_MS, () => resolve(null));
        }),
    );
    const answer = async (): Promise<Parameters<CopyShell['answered']>[1]> => {
      await this.time.pass(LATENCY_MS);
      if (this.#isLost() || target?.isAlive !== true) return late;
      const refused = packBody({ message: { kind: 'refused', reason: 'notHere', term: 0 } });
      const shell = target.allocationId === to ? target.shell : null;
      const response = (await shell?.request(structuredClone(call), REQUEST_TIMEOUT_MS).catch(() => null)) ?? refused;
      await this.time.pass(LATENCY_MS);
      return this.#isLost() ? late : response;
    };
    from.answered(requestId, await Promise.race([answer(), late]));
  }

  #isLost(): boolean {
    return this.time.random.chance(this.loss);
  }

  async #ask(from: CopyShell, ask: number, request: ManagerRequest): Promise<void> {
    await this.time.pass(LATENCY_MS);
    if (this.#isLost()) {
      await this.time.pass(100);
      from.managerAnswered(ask, 'unavailable');
      return;
    }
    const answer = this.#answer(request);
    await this.time.pass(LATENCY_MS);
    from.managerAnswered(ask, answer);
  }

  #answer(request: ManagerRequest): ManagerAnswer {
    if (request.kind === 'confirmPrimary') return 'unavailable';
    const change = changeBy(this.group, request);
    if (change.kind === 'changed') this.#change(change.group);
    return change.kind === 'refused' ? 'noLongerPrimary' : 'done';
  }
}

function changeBy(group: ShardGroup, request: Exclude<ManagerRequest, { kind: 'confirmPrimary' }>): GroupChange {
  switch (request.kind) {
    case 'copyFailed':
      return copyFailed(group, request, rules);
    case 'handOver':
      return handOver(group, request, rules);
    default:
      return copyStarted(group, request, rules);
  }
}
