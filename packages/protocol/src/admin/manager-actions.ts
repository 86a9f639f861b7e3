/**
 * Changes to the cluster state as messages: any node → elected cluster manager. Channel `reg`.
 *
 * The manager validates what users sent; here only shapes and sizes are checked.
 */

import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec, WireBody } from '@shoal/transport';
import { readPlainObject } from '../json/plain-json.ts';

type Json = Readonly<Record<string, unknown>>;

export interface TimeoutsMessage {
  readonly masterTimeoutMs: number;
  readonly timeoutMs: number;
}

export interface AcknowledgedMessage {
  readonly acknowledged: boolean;
}

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

export interface RerouteMessage extends TimeoutsMessage {
  /** Copies that failed too often get new attempts. */
  readonly retryFailed: boolean;
}

export interface UpdateClusterSettingsMessage extends TimeoutsMessage {
  readonly persistent: Json;
  readonly transient: Json;
}

export interface UpdateClusterSettingsAnswer extends AcknowledgedMessage {
  readonly persistent: Readonly<Record<string, string>>;
  readonly transient: Readonly<Record<string, string>>;
}

export interface ExplainAllocationMessage {
  readonly shard: { readonly index: string; readonly shard: number; readonly isPrimary: boolean } | null;
  readonly includeYesDecisions: boolean;
  readonly masterTimeoutMs: number;
}

const NAMES_MAX = 100_000;
const SETTINGS_MAX = 10_000;
const SHARD_MAX = 1_023;
const COPIES_MAX = 1_001;
/** A month: longer waits are a mistake. */
const TIMEOUT_MS_MAX = 31 * 24 * 3_600_000;

export const CREATE_INDEX: ActionCodec<CreateIndexMessage, CreateIndexAnswer> = {
  name: 'indices:admin/create',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return {
      ...timeouts(r),
      index: r.string('index'),
      ...(r.has('providedName') ? { providedName: r.string('providedName') } : {}),
      settings: json(r, 'settings'),
      mappings: json(r, 'mappings'),
      aliases: json(r, 'aliases'),
      waitForActiveShards:
        r.raw('waitForActiveShards') === 'all' ? 'all' : r.optionalInteger('waitForActiveShards', 0, COPIES_MAX),
      ...(r.has('resize') ? { resize: readResize(r.object('resize')) } : {}),
    };
  },
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
};

function readResize(r: ValueReader): ResizeSourceMessage {
  return { kind: r.oneOf('kind', RESIZE_KINDS), source: r.string('source') };
}

export const DELETE_INDICES: ActionCodec<IndicesMessage, AcknowledgedMessage> = {
  name: 'indices:admin/delete',
  writeRequest: plain,
  readRequest: (body) => named(reader(body)),
  ...acknowledgement(),
};

export const PUT_MAPPING: ActionCodec<PutMappingMessage, AcknowledgedMessage> = {
  name: 'indices:admin/mapping/put',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return { ...named(r), mapping: json(r, 'mapping') };
  },
  ...acknowledgement(),
};

export const UPDATE_INDEX_SETTINGS: ActionCodec<UpdateIndexSettingsMessage, AcknowledgedMessage> = {
  name: 'indices:admin/settings/update',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return { ...named(r), settings: json(r, 'settings'), preserveExisting: r.boolean('preserveExisting') };
  },
  ...acknowledgement(),
};

export const SET_INDEX_STATE: ActionCodec<SetIndexStateMessage, AcknowledgedMessage> = {
  name: 'indices:admin/state',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return { ...named(r), state: r.oneOf('state', ['open', 'close']) };
  },
  ...acknowledgement(),
};

export const UPDATE_CLUSTER_SETTINGS: ActionCodec<UpdateClusterSettingsMessage, UpdateClusterSettingsAnswer> = {
  name: 'cluster:admin/settings/update',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return { ...timeouts(r), persistent: json(r, 'persistent'), transient: json(r, 'transient') };
  },
  writeResponse: plain,
  readResponse: (body) => {
    const r = reader(body);
    return {
      acknowledged: r.boolean('acknowledged'),
      persistent: r.map('persistent', ValueReader.asString, SETTINGS_MAX),
      transient: r.map('transient', ValueReader.asString, SETTINGS_MAX),
    };
  },
};

export const REROUTE: ActionCodec<RerouteMessage, AcknowledgedMessage> = {
  name: 'cluster:admin/reroute',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return { ...timeouts(r), retryFailed: r.boolean('retryFailed') };
  },
  ...acknowledgement(),
};

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

export function reader(body: WireBody): ValueReader {
  return ValueReader.of(body.message);
}

/** The message is plain data already: maps, lists and texts. */
export function plain(value: object): WireBody {
  assert(!Array.isArray(value) && !ArrayBuffer.isView(value), 'a message is a map of named fields');
  return { message: { ...value } };
}

export function timeouts(r: ValueReader): TimeoutsMessage {
  return {
    masterTimeoutMs: r.integer('masterTimeoutMs', 0, TIMEOUT_MS_MAX),
    timeoutMs: r.integer('timeoutMs', 0, TIMEOUT_MS_MAX),
  };
}

export function acknowledgement(): Pick<ActionCodec<unknown, AcknowledgedMessage>, 'writeResponse' | 'readResponse'> {
  return {
    writeResponse: plain,
    readResponse: (body) => ({ acknowledged: reader(body).boolean('acknowledged') }),
  };
}

function named(r: ValueReader): IndicesMessage {
  return { ...timeouts(r), indices: r.list('indices', ValueReader.asString, NAMES_MAX) };
}

function json(r: ValueReader, field: string): Json {
  return readPlainObject(r.raw(field), field);
}

const readExplainedShard: ItemReader<NonNullable<ExplainAllocationMessage['shard']>> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { index: r.string('index'), shard: r.integer('shard', 0, SHARD_MAX), isPrimary: r.boolean('isPrimary') };
};
