/** `_cluster/reroute`: any node → elected cluster manager. */
import { type ClusterState, readClusterState, readPlainObject, writeClusterState } from '@shoal/cluster-state';
import { type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import { type AcknowledgedMessage, managerAction, reader, type TimeoutsMessage } from './manager-codec.ts';

type Json = Readonly<Record<string, unknown>>;

/** Nodes are named by id or name. */
export type RerouteCommand =
  | {
      readonly kind: 'move';
      readonly index: string;
      readonly shard: number;
      readonly fromNode: string;
      readonly toNode: string;
    }
  | {
      readonly kind: 'cancel';
      readonly index: string;
      readonly shard: number;
      readonly node: string;
      readonly allowPrimary: boolean;
    }
  | { readonly kind: 'allocate_replica'; readonly index: string; readonly shard: number; readonly node: string }
  | {
      readonly kind: 'allocate_stale_primary' | 'allocate_empty_primary';
      readonly index: string;
      readonly shard: number;
      readonly node: string;
      readonly acceptDataLoss: boolean;
    };

export interface RerouteMessage extends TimeoutsMessage {
  /** Copies that failed too often get new attempts. */
  readonly retryFailed: boolean;
  /** Nothing is changed; the answer has the state that would have been. */
  readonly isDryRun: boolean;
  /** Commands that cannot be done are explained instead of refused. */
  readonly isExplained: boolean;
  readonly commands: readonly RerouteCommand[];
}

export interface RerouteAnswer extends AcknowledgedMessage {
  /** One a command, as Elasticsearch prints them. */
  readonly explanations: readonly Json[];
  /** State of a dry run; null: the state is the cluster's. */
  readonly state: ClusterState | null;
}

const SHARD_MAX = 1_023;
const COMMANDS_MAX = 10_000;
const COMMANDS = ['move', 'cancel', 'allocate_replica', 'allocate_stale_primary', 'allocate_empty_primary'] as const;

const readCommand: ItemReader<RerouteCommand> = (value, field) => {
  const r = ValueReader.of(value, field);
  const kind = r.oneOf('kind', COMMANDS);
  const copy = { index: r.string('index'), shard: r.integer('shard', 0, SHARD_MAX) };
  if (kind === 'move') return { kind, ...copy, fromNode: r.string('fromNode'), toNode: r.string('toNode') };
  const node = r.string('node');
  if (kind === 'cancel') return { kind, ...copy, node, allowPrimary: r.boolean('allowPrimary') };
  if (kind === 'allocate_replica') return { kind, ...copy, node };
  return { kind, ...copy, node, acceptDataLoss: r.boolean('acceptDataLoss') };
};

export const REROUTE: ActionCodec<RerouteMessage, RerouteAnswer> = managerAction(
  'cluster:admin/reroute',
  (r) => ({
    retryFailed: r.boolean('retryFailed'),
    isDryRun: r.boolean('isDryRun'),
    isExplained: r.boolean('isExplained'),
    commands: r.list('commands', readCommand, COMMANDS_MAX),
  }),
  {
    writeResponse: ({ acknowledged, explanations, state }) => ({
      message: { acknowledged, explanations, state: state === null ? null : writeClusterState(state) },
    }),
    readResponse: (body) => {
      const r = reader(body);
      return {
        acknowledged: r.boolean('acknowledged'),
        explanations: r.list('explanations', readPlainObject, COMMANDS_MAX),
        state: r.optional('state', readClusterState),
      };
    },
  },
);
