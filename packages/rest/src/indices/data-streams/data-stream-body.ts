/**
 * Data streams as users see them.
 */
import { clusterHealth, findIndexTemplate } from '@shoal/cluster';
import type { ClusterState, DataStream, DataStreamLifecycle } from '@shoal/cluster-state';

type Json = Readonly<Record<string, unknown>>;

const TIMESTAMP_FIELD = { name: '@timestamp' };

/** One entry of `GET _data_stream`. */
export function dataStreamBody(state: ClusterState, stream: DataStream): Json {
  const template = findIndexTemplate(state.metadata.templates, stream.name, false);
  return {
    ...storedDataStreamBody(state, stream),
    ...(stream.meta === null ? {} : { _meta: stream.meta }),
    status: clusterHealth(state, stream.indices).status.toUpperCase(),
    ...(template === null ? {} : { template: template.name }),
    ...(stream.lifecycle === null ? {} : { lifecycle: streamLifecycleBody(stream.lifecycle) }),
    hidden: stream.isHidden,
    system: false,
    allow_custom_routing: false,
    replicated: false,
    rollover_on_write: stream.rollsOverOnWrite,
  };
}

/** A lifecycle as its API takes it. */
export function streamLifecycleBody({ isEnabled, retention }: DataStreamLifecycle): Json {
  return { enabled: isEnabled, ...(retention === null ? {} : { data_retention: retention }) };
}

/** What the cluster state itself holds of a data stream. */
export function storedDataStreamBody(state: ClusterState, stream: DataStream): Json {
  return {
    name: stream.name,
    timestamp_field: TIMESTAMP_FIELD,
    indices: stream.indices.map((name) => ({
      index_name: name,
      index_uuid: state.metadata.indices.get(name)?.uuid ?? '_na_',
    })),
    generation: stream.generation,
  };
}
