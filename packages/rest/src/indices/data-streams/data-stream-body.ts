/**
 * Data streams as users see them.
 */

import {
  type ClusterSettings,
  clusterHealth,
  type FailuresLifecycle,
  failuresLifecycleOf,
  findIndexTemplate,
  keepsFailures,
  layersOfIndexTemplate,
  rollsOverBeforeWrite,
} from '@shoal/cluster';
import type { ClusterState, DataStream, DataStreamLifecycle, FailureStoreOptions } from '@shoal/cluster-state';
import { managerOf, prefersPolicy, rolloverConditions } from '@shoal/coordinator';

type Json = Readonly<Record<string, unknown>>;

const TIMESTAMP_FIELD = { name: '@timestamp' };

interface StoredIndexBody {
  readonly index_name: string;
  readonly index_uuid: string;
}

interface StoredDataStreamBody extends Json {
  readonly indices: readonly StoredIndexBody[];
}

interface ManagementBody {
  readonly prefer_ilm: boolean;
  readonly ilm_policy?: string;
  readonly managed_by: string;
}

interface DataStreamView {
  readonly settings: ClusterSettings;
  /** Lifecycles with the conditions of rollovers that they do not name. */
  readonly showsDefaults: boolean;
}

/** One entry of `GET _data_stream`. */
export function dataStreamBody(state: ClusterState, stream: DataStream, view: DataStreamView): Json {
  const { templates, indices } = state.metadata;
  const template = findIndexTemplate(templates, stream.name, false);
  const next = managementBody(stream, template === null ? {} : layersOfIndexTemplate(templates, template).settings);
  const { managed_by, ...management } = next;
  const stored = storedDataStreamBody(state, stream);
  return {
    ...stored,
    indices: stored.indices.map((index) => ({
      ...index,
      ...managementBody(stream, indices.get(index.index_name)?.settings ?? {}),
    })),
    ...(stream.meta === null ? {} : { _meta: stream.meta }),
    // Settings of the stream itself: its indices have those of its template.
    settings: {},
    status: clusterHealth(state, stream.indices).status.toUpperCase(),
    ...(template === null ? {} : { template: template.name }),
    ...(stream.lifecycle === null ? {} : { lifecycle: streamLifecycleBody(stream.lifecycle, view.showsDefaults) }),
    ...management,
    next_generation_managed_by: managed_by,
    hidden: stream.isHidden,
    system: false,
    allow_custom_routing: false,
    replicated: false,
    rollover_on_write: stream.rollsOverOnWrite,
    failure_store: failureStoreBody(state, stream, view),
  };
}

function failureStoreBody(state: ClusterState, stream: DataStream, { settings, showsDefaults }: DataStreamView): Json {
  const failures = failuresLifecycleOf(stream, settings);
  const lifecycle = failures?.lifecycle ?? null;
  return {
    enabled: keepsFailures(stream, settings),
    rollover_on_write: rollsOverBeforeWrite(stream, 'failures'),
    indices: storedIndices(state, stream.failureIndices).map((index) => {
      const ofIndex = state.metadata.indices.get(index.index_name)?.settings ?? {};
      const { managed_by, ...management } = managementBody({ lifecycle }, ofIndex);
      return { ...index, managed_by, ...(management.ilm_policy === undefined ? {} : management) };
    }),
    ...(failures === null ? {} : { lifecycle: failuresLifecycleBody(failures, showsDefaults) }),
  };
}

/** The lifecycle of failure indices, with the retention in force. */
function failuresLifecycleBody(
  { lifecycle, effectiveRetention, determinedBy }: FailuresLifecycle,
  showsDefaults: boolean,
): Json {
  const effective = { effective_retention: effectiveRetention, retention_determined_by: determinedBy };
  return { ...streamLifecycleBody(lifecycle, showsDefaults), ...(effectiveRetention === null ? {} : effective) };
}

/** Options of a failure store as their API takes them. */
export function failureStoreOptionsBody({ isEnabled, lifecycle }: FailureStoreOptions): Json {
  return {
    ...(isEnabled === null ? {} : { enabled: isEnabled }),
    ...(lifecycle === null ? {} : { lifecycle: streamLifecycleBody(lifecycle) }),
  };
}

const MANAGERS = {
  policy: 'Index Lifecycle Management',
  stream: 'Data stream lifecycle',
  nobody: 'Unmanaged',
} as const;

/** What manages an index of the stream that has these settings. */
function managementBody(
  { lifecycle }: Pick<DataStream, 'lifecycle'>,
  settings: Readonly<Record<string, string>>,
): ManagementBody {
  const policy = settings['index.lifecycle.name'] ?? '';
  return {
    prefer_ilm: prefersPolicy(settings),
    ...(policy === '' ? {} : { ilm_policy: policy }),
    managed_by: MANAGERS[managerOf(lifecycle, settings)],
  };
}

/** A lifecycle as its API takes it. @param showsDefaults adds the conditions of its rollovers, which it cannot set */
export function streamLifecycleBody(lifecycle: DataStreamLifecycle, showsDefaults = false): Json {
  const { isEnabled, retention } = lifecycle;
  return {
    enabled: isEnabled,
    ...(retention === null ? {} : { data_retention: retention }),
    ...(showsDefaults ? { rollover: rolloverConditions(lifecycle) } : {}),
  };
}

/** What the cluster state itself holds of a data stream. */
export function storedDataStreamBody(state: ClusterState, stream: DataStream): StoredDataStreamBody {
  return {
    name: stream.name,
    timestamp_field: TIMESTAMP_FIELD,
    indices: storedIndices(state, stream.indices),
    generation: stream.generation,
  };
}

/** Indices as the cluster state lists them. */
export function storedIndices({ metadata }: ClusterState, names: readonly string[]): readonly StoredIndexBody[] {
  return names.map((name) => ({ index_name: name, index_uuid: metadata.indices.get(name)?.uuid ?? '_na_' }));
}
