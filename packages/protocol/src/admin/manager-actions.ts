/**
 * Changes to the cluster state as messages: any node → elected cluster manager. Channel `reg`.
 *
 * The manager validates what users sent; here only shapes and sizes are checked.
 */

import { readPlainObject } from '@shoal/cluster-state';
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import {
  type AcknowledgedMessage,
  acknowledgedAction,
  managerAction,
  plain,
  reader,
  TIMEOUT_MS_MAX,
  type TimeoutsMessage,
} from './manager-codec.ts';

type Json = Readonly<Record<string, unknown>>;

export interface CreateIndexMessage extends TimeoutsMessage {
  readonly index: string;
  /** Expression with date math that the name came from; absent: the name itself. */
  readonly providedName?: string;
  readonly settings: Json;
  readonly mappings: Json;
  readonly aliases: Json;
  /** null: as many as the settings of the index say. */
  readonly waitForActiveShards: number | 'all' | null;
  /** Absent: the index begins empty. */
  readonly resize?: ResizeSourceMessage;
}

const RESIZE_KINDS = ['shrink', 'split', 'clone'] as const;

export type ResizeKind = (typeof RESIZE_KINDS)[number];

/** The index whose documents a new one begins with. */
export interface ResizeSourceMessage {
  readonly kind: ResizeKind;
  /** Concrete name. */
  readonly source: string;
}

export interface CreateIndexAnswer extends AcknowledgedMessage {
  readonly shardsAcknowledged: boolean;
  readonly index: string;
}

export interface IndicesMessage extends TimeoutsMessage {
  readonly indices: readonly string[];
}

export interface PutMappingMessage extends IndicesMessage {
  readonly mapping: Json;
}

export interface UpdateIndexSettingsMessage extends IndicesMessage {
  readonly settings: Json;
  readonly preserveExisting: boolean;
}

export interface SetIndexStateMessage extends IndicesMessage {
  readonly state: 'open' | 'close';
}

export interface UpdateClusterSettingsMessage extends TimeoutsMessage {
  readonly persistent: Json;
  readonly transient: Json;
}

export interface UpdateClusterSettingsAnswer extends AcknowledgedMessage {
  readonly persistent: Readonly<Record<string, string>>;
  readonly transient: Readonly<Record<string, string>>;
}

export interface ExplainedShard {
  readonly index: string;
  readonly shard: number;
  readonly isPrimary: boolean;
  /** Node that the copy is on; null or left out: of several, one that is not started. */
  readonly nodeId?: string | null;
}

export interface ExplainAllocationMessage {
  /** null: the first unassigned shard, primaries before replicas. */
  readonly shard: ExplainedShard | null;
  readonly includeYesDecisions: boolean;
  readonly masterTimeoutMs: number;
}

const NAMES_MAX = 100_000;
const SETTINGS_MAX = 10_000;
const SHARD_MAX = 1_023;
const COPIES_MAX = 1_001;

export const CREATE_INDEX: ActionCodec<CreateIndexMessage, CreateIndexAnswer> = managerAction(
  'indices:admin/create',
  (r) => ({
    index: r.string('index'),
    ...(r.has('providedName') ? { providedName: r.string('providedName') } : {}),
    settings: json(r, 'settings'),
    mappings: json(r, 'mappings'),
    aliases: json(r, 'aliases'),
    waitForActiveShards:
      r.raw('waitForActiveShards') === 'all' ? 'all' : r.optionalInteger('waitForActiveShards', 0, COPIES_MAX),
    ...(r.has('resize') ? { resize: readResize(r.object('resize')) } : {}),
  }),
  {
    writeResponse: (answer) => {
      const { acknowledged, shardsAcknowledged, index } = answer;
      assert(acknowledged || !shardsAcknowledged, `shards of [${index}] are started before all nodes know the index`);
      return plain(answer);
    },
    readResponse: (body) => {
      const r = reader(body);
      return {
        acknowledged: r.boolean('acknowledged'),
        shardsAcknowledged: r.boolean('shardsAcknowledged'),
        index: r.string('index'),
      };
    },
  },
);

function readResize(r: ValueReader): ResizeSourceMessage {
  return { kind: r.oneOf('kind', RESIZE_KINDS), source: r.string('source') };
}

export const DELETE_INDICES: ActionCodec<IndicesMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/delete',
  (r) => ({ indices: names(r) }),
);

export const PUT_MAPPING: ActionCodec<PutMappingMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/mapping/put',
  (r) => ({ indices: names(r), mapping: json(r, 'mapping') }),
);

export const UPDATE_INDEX_SETTINGS: ActionCodec<UpdateIndexSettingsMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/settings/update',
  (r) => ({ indices: names(r), settings: json(r, 'settings'), preserveExisting: r.boolean('preserveExisting') }),
);

export const SET_INDEX_STATE: ActionCodec<SetIndexStateMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/state',
  (r) => ({ indices: names(r), state: r.oneOf('state', ['open', 'close']) }),
);

export const UPDATE_CLUSTER_SETTINGS: ActionCodec<UpdateClusterSettingsMessage, UpdateClusterSettingsAnswer> =
  managerAction(
    'cluster:admin/settings/update',
    (r) => ({ persistent: json(r, 'persistent'), transient: json(r, 'transient') }),
    {
      writeResponse: plain,
      readResponse: (body) => {
        const r = reader(body);
        return {
          acknowledged: r.boolean('acknowledged'),
          persistent: r.map('persistent', ValueReader.asString, SETTINGS_MAX),
          transient: r.map('transient', ValueReader.asString, SETTINGS_MAX),
        };
      },
    },
  );

export const EXPLAIN_ALLOCATION: ActionCodec<ExplainAllocationMessage, Json> = {
  name: 'cluster:monitor/allocation/explain',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return {
      shard: r.optional('shard', readExplainedShard),
      includeYesDecisions: r.boolean('includeYesDecisions'),
      masterTimeoutMs: r.integer('masterTimeoutMs', 0, TIMEOUT_MS_MAX),
    };
  },
  writeResponse: plain,
  readResponse: (body) => readPlainObject(body.message, 'explanation'),
};

function names(r: ValueReader): readonly string[] {
  return r.list('indices', ValueReader.asString, NAMES_MAX);
}

function json(r: ValueReader, field: string): Json {
  return readPlainObject(r.raw(field), field);
}

const readExplainedShard: ItemReader<ExplainedShard> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    index: r.string('index'),
    shard: r.integer('shard', 0, SHARD_MAX),
    isPrimary: r.boolean('isPrimary'),
    nodeId: r.optionalString('nodeId'),
  };
};
