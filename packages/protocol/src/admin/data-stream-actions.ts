/** Changes of data streams, and rollovers, as messages: any node → elected cluster manager. */

import { type DataStreamLifecycle, readDataStreamLifecycle, readPlainObject } from '@shoal/cluster-state';
import { type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import { CREATE_INDEX, type CreateIndexAnswer } from './manager-actions.ts';
import { type AcknowledgedMessage, acknowledgedAction, managerAction, type TimeoutsMessage } from './manager-codec.ts';

export interface CreateDataStreamMessage extends TimeoutsMessage {
  readonly name: string;
}

export interface DeleteDataStreamsMessage extends TimeoutsMessage {
  /** Concrete names. */
  readonly names: readonly string[];
}

export interface SetDataStreamLifecycleMessage extends DeleteDataStreamsMessage {
  /** null: takes it away. */
  readonly lifecycle: DataStreamLifecycle | null;
}

/** One index taken into a data stream, or out of it. */
export interface BackingIndexChange {
  readonly kind: 'add' | 'remove';
  readonly stream: string;
  readonly index: string;
}

export interface ModifyDataStreamsMessage extends TimeoutsMessage {
  readonly changes: readonly BackingIndexChange[];
}

type Json = Readonly<Record<string, unknown>>;

export interface RolloverMessage extends TimeoutsMessage {
  /** Alias or data stream. */
  readonly target: string;
  /** Write index that the conditions were found to hold for; another one is not rolled over. */
  readonly source: string;
  readonly newIndex: string;
  /** Expression with date math that the name came from; the name itself without. */
  readonly providedName: string;
  readonly settings: Json;
  readonly mappings: Json;
  readonly aliases: Json;
  readonly waitForActiveShards: number | 'all' | null;
}

const NAMES_MAX = 100_000;
const COPIES_MAX = 1_001;

export const CREATE_DATA_STREAM: ActionCodec<CreateDataStreamMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/data_stream/create',
  (r) => ({ name: r.string('name') }),
);

/** An alias of that name becomes a stream. */
export const MIGRATE_TO_DATA_STREAM: ActionCodec<CreateDataStreamMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/data_stream/migrate',
  (r) => ({ name: r.string('name') }),
);

export const DELETE_DATA_STREAMS: ActionCodec<DeleteDataStreamsMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/data_stream/delete',
  (r) => ({ names: r.list('names', ValueReader.asString, NAMES_MAX) }),
);

export const SET_DATA_STREAM_LIFECYCLE: ActionCodec<SetDataStreamLifecycleMessage, AcknowledgedMessage> =
  acknowledgedAction('indices:admin/data_stream/lifecycle/put', (r) => ({
    names: r.list('names', ValueReader.asString, NAMES_MAX),
    lifecycle: r.optional('lifecycle', readDataStreamLifecycle),
  }));

const readBackingIndexChange: ItemReader<BackingIndexChange> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { kind: r.oneOf('kind', ['add', 'remove']), stream: r.string('stream'), index: r.string('index') };
};

export const MODIFY_DATA_STREAMS: ActionCodec<ModifyDataStreamsMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/data_stream/modify',
  (r) => ({ changes: r.list('changes', readBackingIndexChange, NAMES_MAX) }),
);

/** The next write rolls the stream over. */
export const ROLLOVER_ON_WRITE: ActionCodec<CreateDataStreamMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/rollover/lazy',
  (r) => ({ name: r.string('name') }),
);

export const ROLLOVER: ActionCodec<RolloverMessage, CreateIndexAnswer> = managerAction(
  'indices:admin/rollover',
  (r) => {
    const json = (field: string): Json => readPlainObject(r.raw(field), field);
    return {
      target: r.string('target'),
      source: r.string('source'),
      newIndex: r.string('newIndex'),
      providedName: r.string('providedName'),
      settings: json('settings'),
      mappings: json('mappings'),
      aliases: json('aliases'),
      waitForActiveShards:
        r.raw('waitForActiveShards') === 'all' ? 'all' : r.optionalInteger('waitForActiveShards', 0, COPIES_MAX),
    };
  },
  {
    writeResponse: CREATE_INDEX.writeResponse,
    readResponse: CREATE_INDEX.readResponse,
  },
);
