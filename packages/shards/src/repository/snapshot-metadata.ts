/**
 * Metadata that a snapshot carries: its indices, the data streams over them, and, when asked for, what belongs to the cluster.
 */

import {
  type DataStream,
  type IndexMetadata,
  type Metadata,
  NO_ENRICH_POLICIES,
  NO_LIFECYCLE,
  readDataStreams,
  readEnrichPolicies,
  readIndexMetadata,
  readIngestPipelines,
  readLifecycle,
  readSettings,
  readTemplates,
  type Templates,
  writeDataStreams,
  writeEnrichPolicies,
  writeIndexMetadata,
  writeIngestPipelines,
  writeLifecycle,
  writeTemplates,
} from '@shoal/cluster-state';
import { type ItemReader, ValueReader } from '@shoal/core';

export interface GlobalState {
  readonly persistentSettings: Metadata['persistentSettings'];
  readonly templates: Templates;
  readonly ingestPipelines: Metadata['ingestPipelines'];
  readonly lifecycle: Metadata['lifecycle'];
  readonly enrichPolicies: Metadata['enrichPolicies'];
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
      ingestPipelines: writeIngestPipelines(global.ingestPipelines),
      lifecycle: writeLifecycle(global.lifecycle),
      enrichPolicies: writeEnrichPolicies(global.enrichPolicies),
    },
  };
}

const readGlobal: ItemReader<GlobalState> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    persistentSettings: readSettings(r.raw('persistentSettings'), 'persistentSettings'),
    templates: readTemplates(r.raw('templates'), 'templates'),
    ingestPipelines: readIngestPipelines(r.raw('ingestPipelines'), 'ingestPipelines'),
    // A snapshot that was made before there were such parts has none of them.
    lifecycle: r.optional('lifecycle', readLifecycle) ?? NO_LIFECYCLE,
    enrichPolicies: r.optional('enrichPolicies', readEnrichPolicies) ?? NO_ENRICH_POLICIES,
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
