/** A cluster as a pure state whose nodes have disks: what a test does to it, and the commands of findings as an operator sends them. */
import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { reroute } from '../allocation/reroute.ts';
import type { RerouteCommand } from '../allocation/reroute-command.ts';
import { applyRerouteCommands } from '../allocation/reroute-commands.ts';
import { applyShardFailed, resetFailedAllocations } from '../allocation/shard-transitions.ts';
import type { Finding } from '../mends/finding.ts';
import { commandOf, type Mend } from '../mends/mend.ts';
import { deleteIndices } from '../metadata/delete-index.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import { setIndexState } from '../metadata/open-close-index.ts';
import { checkActionBlocks } from '../reading/action-blocks.ts';
import { clusterHealth } from '../reading/cluster-health.ts';
import { updateClusterSettings } from '../settings/update-cluster-settings.ts';
import { updateIndexSettings } from '../settings/update-index-settings.ts';
import { clusterOf, testContext, testNode, withIndex } from '../value/cluster-states.test-support.ts';
import { withNodes } from '../value/cluster-value-model.ts';
import { clusterFindings } from './cluster-findings.ts';
import { copyStarted, nextWaitMs } from './dry-run.ts';

type Json = Record<string, unknown>;

const ROUNDS_MAX = 1_000;

export class SituationCluster {
  state: ClusterState;
  nowMs = 100_000;
  nodeSettings: Record<string, string> = {};
  #joins = 0;
  readonly #base = testContext();
  /** Allocation ids by node, index and shard. */
  readonly #disks = new Map<string, string>();

  /** Bytes free on the disk of each node, of a thousand; unknown where there are none. */
  readonly free = new Map<string, number>();

  constructor(...ids: readonly string[]) {
    // Each in a zone of its own name.
    this.state = clusterOf(...ids.map((id) => testNode(id, { attributes: { zone: id } })));
  }

  get context(): MetadataContext {
    return {
      ...this.#base,
      nowMs: this.nowMs,
      nodeSettings: this.nodeSettings,
      disks: {
        of: ({ id }) => {
          const freeBytes = this.free.get(id);
          return freeBytes === undefined ? null : { totalBytes: 1_000, freeBytes };
        },
        shardBytes: () => 1,
      },
      stores: {
        find: ({ nodeId, indexUuid, shard }) => this.#disks.get(`${nodeId}/${indexUuid}/${shard}`) ?? null,
      },
    };
  }

  get findings(): readonly Finding[] {
    return clusterFindings(this.state, this.context, null).findings;
  }

  get health(): string {
    return clusterHealth(this.state, null).status;
  }

  create(index: string, settings: Json = {}): void {
    this.state = withIndex(this.state, index, { settings }, this.context);
  }

  index(index: string, settings: Json): void {
    this.state = updateIndexSettings(this.state, { indices: [index], settings, preserveExisting: false }, this.context);
  }

  cluster(transient: Json, persistent: Json = {}): void {
    this.state = updateClusterSettings(this.state, { persistent, transient }, this.context);
  }

  close(index: string): void {
    this.state = setIndexState(this.state, [index], 'close', this.context);
  }

  leave(id: string): void {
    const node = this.state.nodes.get(id);
    if (node === undefined) throw new Error(`no node ${id}`);
    const left = [{ node, reason: 'disconnected' }] as const;
    this.state = withNodes(this.state, { joined: [], left, newManager: null }, this.context);
  }

  join(id: string, attributes: Record<string, string> = { zone: id }): void {
    const joined = [testNode(id, { attributes, ephemeralId: `${id}-again-${++this.#joins}` })];
    this.state = withNodes(this.state, { joined, left: [], newManager: null }, this.context);
  }

  /** What a node has on its disk of every index is gone. */
  wipe(id: string): void {
    for (const key of [...this.#disks.keys()]) if (key.startsWith(`${id}/`)) this.#disks.delete(key);
  }

  copies(index: string): readonly ShardRouting[] {
    return (this.state.routing.indices.get(index) ?? []).flat();
  }

  /** Every copy that its node was told to start has started, and so on. */
  startAll(): void {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const starting = [...this.state.routing.indices.values()].flat(2).filter(({ state }) => state === 'INITIALIZING');
      if (starting.length === 0) return;
      for (const copy of starting) this.start(copy);
      this.reroute();
    }
    throw new Error('copies start for ever');
  }

  start(copy: ShardRouting): void {
    this.state = copyStarted(this.state, copy, this.context);
    this.#disks.set(`${copy.nodeId}/${copy.indexUuid}/${copy.shard}`, copy.allocationId ?? '');
  }

  fail({ index, shard, allocationId }: ShardRouting, reason: string, markStale = false): void {
    const failed = { index, shard, allocationId: allocationId ?? '', primaryTerm: 0, markStale, reason };
    this.state = applyShardFailed(this.state, failed, this.context);
  }

  /** Fails whatever starts of the index until it is left alone. */
  failForGood(index: string, reason: string): void {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const starting = this.copies(index).find(({ state }) => state === 'INITIALIZING');
      if (starting !== undefined) this.fail(starting, reason);
      const waitMs = nextWaitMs(this.state, this.nowMs);
      if (starting === undefined && waitMs === null) return;
      this.nowMs += waitMs ?? 0;
      this.reroute();
    }
    throw new Error('copies fail for ever');
  }

  reroute(): void {
    this.state = reroute(this.state, this.context);
  }

  /** Does what the command says, as it is printed. */
  run(mend: Mend): void {
    if (mend.kind === 'wait') this.#wait();
    else if (mend.kind === 'startNode') this.join(mend.node.id);
    else if (mend.kind === 'addNode') this.join('z', { zone: 'z', ...mend.attributes });
    else this.#send(commandOf(mend) ?? '');
    this.startAll();
  }

  #wait(): void {
    this.startAll();
    const waitMs = nextWaitMs(this.state, this.nowMs);
    this.nowMs += waitMs ?? 0;
    this.reroute();
  }

  #send(command: string): void {
    const [, method, path = '', json = ''] = /^(\w+) (\S+)(?: (.*))?$/.exec(command) ?? [];
    const body = (json === '' ? {} : JSON.parse(json)) as Json;
    const [name = '', action = ''] = path.slice(1).split(/[/?]/).map(decodeURIComponent);
    if (`${method} ${path}` === 'PUT /_cluster/settings') {
      const { persistent = {}, transient = {} } = body as { persistent?: Json; transient?: Json };
      checkActionBlocks(this.state, 'cluster:admin/settings/update', { persistent, transient });
      this.cluster(transient, persistent);
    } else if (method === 'PUT' && action === '_settings') {
      checkActionBlocks(this.state, 'indices:admin/settings/update', { indices: [name], settings: body });
      this.index(name, body);
    } else if (path.startsWith('/_cluster/reroute?retry_failed=true')) {
      this.state = reroute(resetFailedAllocations(this.state), this.context);
    } else if (`${method} ${path}` === 'POST /_cluster/reroute?metric=none') {
      const { commands } = body as { readonly commands: readonly Record<string, Json>[] };
      for (const [[kind = '', parameters = {}] = []] of commands.map((command) => Object.entries(command))) {
        const { accept_data_loss: acceptDataLoss, ...place } = parameters;
        const command = { kind, ...place, acceptDataLoss } as RerouteCommand;
        this.state = reroute(applyRerouteCommands(this.state, [command], false, this.context).state, this.context);
      }
    } else if (method === 'POST' && action === '_open') {
      this.state = setIndexState(this.state, [name], 'open', this.context);
    } else if (method === 'DELETE') {
      this.state = deleteIndices(this.state, [name], this.context);
    } else throw new Error(`a command that nobody sends: ${command}`);
  }
}
