/**
 * Metadata that a snapshot carries: its indices, the data streams over them, and, when asked for, what belongs to the cluster.
 */
import { type ItemReader, ValueReader } from '@shoal/core';
import {
  type DataStream,
  type IndexMetadata,
  type Metadata,
  readDataStreams,
  readIndexMetadata,
  readSettings,
  readTemplates,
  type Templates,
  writeDataStreams,
  writeIndexMetadata,
  writeTemplates,
} from '@shoal/protocol';

export interface GlobalState {
  readonly persistentSettings: Metadata['persistentSettings'];
  readonly templates: Templates;
}

export interface SnapshotMetadata {
  readonly indices: ReadonlyMap<string, IndexMetadata>;
  readonly dataStreams: ReadonlyMap<string, DataStream>;
  /** null: left out. */
  readonly global: GlobalState | null;
}

const INDICES_MAX = 100_000;

export function writeSnapshotMetadata({ indices, dataStreams, global }: SnapshotMetadata): Record<string, unknown> {
  return {
    indices: [...indices.values()].map((index) => writeIndexMetadata(index)),
    dataStreams: writeDataStreams(dataStreams),
    global: global && {
      persistentSettings: { ...global.persistentSettings },
      templates: writeTemplates(global.templates),
    },
  };
}

const readGlobal: ItemReader<GlobalState> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    persistentSettings: readSettings(r.raw('persistentSettings'), 'persistentSettings'),
    templates: readTemplates(r.raw('templates'), 'templates'),
  };
};

const readIndex: ItemReader<IndexMetadata> = (value, field) => readIndexMetadata(value, field);

export function readSnapshotMetadata(value: unknown): SnapshotMetadata {
  const r = ValueReader.of(value, 'metadata');
  return {
    indices: new Map(r.list('indices', readIndex, INDICES_MAX).map((index) => [index.name, index])),
    dataStreams: readDataStreams(r.raw('dataStreams'), 'dataStreams'),
    global: r.optional('global', readGlobal),
  };
}
