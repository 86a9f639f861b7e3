/** `_cluster/reroute`: any node → elected cluster manager. */
import { type ClusterState, readClusterState, readPlainObject, writeClusterState } from '@shoal/cluster-state';
import { type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import { type AcknowledgedMessage, managerAction, reader, type TimeoutsMessage } from './manager-codec.ts';

type Json = Readonly<Record<string, unknown>>;

/** Nodes are named by id or name. */
export type RerouteCommandMessage =
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
    };

export interface RerouteMessage extends TimeoutsMessage {
  /** Copies that failed too often get new attempts. */
  readonly retryFailed: boolean;
  /** Nothing is changed; the answer has the state that would have been. */
  readonly isDryRun: boolean;
  /** Commands that cannot be done are explained instead of refused. */
  readonly isExplained: boolean;
  readonly commands: readonly RerouteCommandMessage[];
}

export interface RerouteAnswer extends AcknowledgedMessage {
  /** One a command, as Elasticsearch prints them. */
  readonly explanations: readonly Json[];
  /** State of a dry run; null: the state is the cluster's. */
  readonly state: ClusterState | null;
}

const SHARD_MAX = 1_023;
const COMMANDS_MAX = 10_000;

const readCommand: ItemReader<RerouteCommandMessage> = (value, field) => {
  const r = ValueReader.of(value, field);
  const kind = r.oneOf('kind', ['move', 'cancel']);
  const copy = { index: r.string('index'), shard: r.integer('shard', 0, SHARD_MAX) };
  return kind === 'move'
    ? { kind, ...copy, fromNode: r.string('fromNode'), toNode: r.string('toNode') }
    : { kind, ...copy, node: r.string('node'), allowPrimary: r.boolean('allowPrimary') };
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
