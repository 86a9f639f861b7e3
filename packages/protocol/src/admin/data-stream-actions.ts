/** Changes of data streams, and rollovers, as messages: any node → elected cluster manager. */

import {
  type DataStreamLifecycle,
  type FailureStoreOptions,
  readDataStreamLifecycle,
  readFailureStoreOptions,
  readPlainObject,
  STREAM_COMPONENTS,
  type StreamComponent,
} from '@shoal/cluster-state';
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

export interface SetDataStreamOptionsMessage extends DeleteDataStreamsMessage {
  /** null: takes them away. */
  readonly failureStore: FailureStoreOptions | null;
}

/** One index taken into a list of a data stream, or out of it. */
export interface StreamIndexChange {
  readonly kind: 'add' | 'remove';
  readonly stream: string;
  readonly component: StreamComponent;
  readonly index: string;
}

export interface RolloverOnWriteMessage extends TimeoutsMessage {
  /** Data stream. */
  readonly name: string;
  readonly component: StreamComponent;
}

export interface ModifyDataStreamsMessage extends TimeoutsMessage {
  readonly changes: readonly StreamIndexChange[];
}

type Json = Readonly<Record<string, unknown>>;

export interface RolloverMessage extends TimeoutsMessage {
  /** Alias or data stream. */
  readonly target: string;
  /** The list of indices that is rolled over, of a data stream. */
  readonly component: StreamComponent;
  /** Write index that the conditions were found to hold for; another one is not rolled over. null: there is none. */
  readonly source: string | null;
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

export const SET_DATA_STREAM_OPTIONS: ActionCodec<SetDataStreamOptionsMessage, AcknowledgedMessage> =
  acknowledgedAction('indices:admin/data_stream/options/put', (r) => ({
    names: r.list('names', ValueReader.asString, NAMES_MAX),
    failureStore: r.optional('failureStore', readFailureStoreOptions),
  }));

const readStreamIndexChange: ItemReader<StreamIndexChange> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    kind: r.oneOf('kind', ['add', 'remove']),
    stream: r.string('stream'),
    component: r.oneOf('component', STREAM_COMPONENTS),
    index: r.string('index'),
  };
};

export const MODIFY_DATA_STREAMS: ActionCodec<ModifyDataStreamsMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/data_stream/modify',
  (r) => ({ changes: r.list('changes', readStreamIndexChange, NAMES_MAX) }),
);

/** The next write rolls the stream over. */
export const ROLLOVER_ON_WRITE: ActionCodec<RolloverOnWriteMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/rollover/lazy',
  (r) => ({ name: r.string('name'), component: r.oneOf('component', STREAM_COMPONENTS) }),
);

export const ROLLOVER: ActionCodec<RolloverMessage, CreateIndexAnswer> = managerAction(
  'indices:admin/rollover',
  (r) => {
    const json = (field: string): Json => readPlainObject(r.raw(field), field);
    return {
      target: r.string('target'),
      component: r.oneOf('component', STREAM_COMPONENTS),
      source: r.optionalString('source'),
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
