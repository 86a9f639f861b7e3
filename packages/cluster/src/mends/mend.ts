/**
 * Mends: what an operator may do about a finding, as values, so that they can be shown, tried on the state, and sent.
 */
import { unreachable } from '@shoal/core';
import { type DepartedNode, departedText } from './departed-node.ts';

type Settings = Readonly<Record<string, string | number | null>>;

export type Mend =
  | { readonly kind: 'indexSettings'; readonly index: string; readonly settings: Settings }
  | { readonly kind: 'clusterSettings'; readonly persistent: Settings; readonly transient: Settings }
  | { readonly kind: 'retryFailed' }
  /** Primaries begin again from copies that lack acknowledged writes, or from nothing: what they lack is given up. */
  | PrimariesMend
  /** Gives up what is in the index. */
  | { readonly kind: 'deleteIndex'; readonly index: string }
  /** The index again, from the newest snapshot that has it; its documents since then are given up. */
  | { readonly kind: 'findSnapshot'; readonly index: string }
  /** A node that was in the cluster starts again on its data folder. */
  | { readonly kind: 'startNode'; readonly node: DepartedNode }
  /** A data node that was not in the cluster before. */
  | {
      readonly kind: 'addNode';
      readonly seedHosts: string;
      readonly clusterName: string;
      /** `node.attr.*` that it needs. */
      readonly attributes: Readonly<Record<string, string>>;
    }
  /** It ends by itself. */
  | { readonly kind: 'wait'; readonly index: string | null; readonly until: string }
  /** Something to do where the node runs. */
  | { readonly kind: 'atNode'; readonly command: string | null; readonly text: string };

export interface PrimariesMend {
  readonly kind: 'allocatePrimaries';
  readonly from: 'stale' | 'empty';
  readonly index: string;
  /** Nodes by name, one a shard. */
  readonly places: readonly { readonly shard: number; readonly node: string }[];
}

export interface MendRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** The request that does it; null: nothing that a request could do. */
export function requestOf(mend: Mend): MendRequest | null {
  switch (mend.kind) {
    case 'indexSettings':
      return { method: 'PUT', path: `/${encoded(mend.index)}/_settings`, body: mend.settings };
    case 'clusterSettings':
      return { method: 'PUT', path: '/_cluster/settings', body: withoutEmpty(mend) };
    case 'retryFailed':
      return { method: 'POST', path: '/_cluster/reroute?retry_failed=true&metric=none', body: null };
    case 'allocatePrimaries': {
      const commands = mend.places.map((place) => ({
        [`allocate_${mend.from}_primary`]: { index: mend.index, ...place, accept_data_loss: true },
      }));
      return { method: 'POST', path: '/_cluster/reroute?metric=none', body: { commands } };
    }
    case 'deleteIndex':
      return { method: 'DELETE', path: `/${encoded(mend.index)}`, body: null };
    case 'findSnapshot':
      return { method: 'GET', path: '/_snapshot/_all/_all?ignore_unavailable=true&verbose=true', body: null };
    case 'wait': {
      const index = mend.index === null ? '' : `/${encoded(mend.index)}`;
      return { method: 'GET', path: `/_cluster/health${index}?wait_for_status=green&timeout=60s`, body: null };
    }
    case 'startNode':
    case 'addNode':
    case 'atNode':
      return null;
    default:
      return unreachable(mend);
  }
}

/** The command as one line: a request such as `PUT /x/_settings {…}`, or one for a shell; null: there is none. */
export function commandOf(mend: Mend): string | null {
  if (mend.kind === 'atNode') return mend.command;
  if (mend.kind === 'addNode') {
    const attributes = Object.entries(mend.attributes).map(([name, value]) => ` --set node.attr.${name}=${value}`);
    return `shoal data-node --cluster.name ${mend.clusterName} --seed-hosts ${mend.seedHosts} --data NEW_FOLDER${attributes.join('')}`;
  }
  if (mend.kind === 'startNode') return 'shoal data-node --data FOLDER_OF_THAT_NODE';
  const request = requestOf(mend);
  if (request === null) return null;
  return `${request.method} ${request.path}${request.body === null ? '' : ` ${JSON.stringify(request.body)}`}`;
}

/** What the command does, and what it costs, without a full stop. */
export function meaningOf(mend: Mend): string {
  switch (mend.kind) {
    case 'indexSettings':
    case 'clusterSettings':
      return Object.entries('settings' in mend ? mend.settings : { ...mend.persistent, ...mend.transient })
        .map(([name, value]) => (value === null ? `takes [${name}] away` : `sets [${name}] to [${value}]`))
        .join(', ');
    case 'retryFailed':
      return 'tries again to start the copies that were given up';
    case 'allocatePrimaries':
      return mend.from === 'stale'
        ? 'goes on from an older copy, without the writes that it lacks'
        : 'begins these shards again with nothing in them; the others of the index keep what they have';
    case 'deleteIndex':
      return 'deletes the index with all that it still has';
    case 'findSnapshot':
      return `lists the snapshots: one that has [${mend.index}] can be restored after the index is deleted, without what was written since`;
    case 'startNode':
      return `starts the ${departedText(mend.node)} again, on the data folder that it had`;
    case 'addNode':
      return 'starts another data node';
    case 'wait':
      return `nothing to do but wait: ${mend.until}`;
    case 'atNode':
      return mend.text;
    default:
      return unreachable(mend);
  }
}

/** True when documents that the cluster has acknowledged are given up by it. */
export function losesData(mend: Mend): boolean {
  return mend.kind === 'deleteIndex' || mend.kind === 'allocatePrimaries';
}

/** What mends of several shards have in common when they can be one. */
export function withoutPlaces(mend: Mend): Mend {
  return mend.kind === 'allocatePrimaries' ? { ...mend, places: [] } : mend;
}

/** Mends of two copies, alike without their places, as one each. */
export function joinedMends(mends: readonly Mend[], others: readonly Mend[]): readonly Mend[] {
  return mends.map((mend, i) => {
    const other = others[i];
    if (mend.kind !== 'allocatePrimaries' || other?.kind !== 'allocatePrimaries') return mend;
    return { ...mend, places: [...mend.places, ...other.places] };
  });
}

function withoutEmpty({
  persistent,
  transient,
}: Extract<Mend, { readonly kind: 'clusterSettings' }>): Record<string, Settings> {
  return {
    ...(Object.keys(persistent).length === 0 ? {} : { persistent }),
    ...(Object.keys(transient).length === 0 ? {} : { transient }),
  };
}

function encoded(index: string): string {
  return encodeURIComponent(index);
}
