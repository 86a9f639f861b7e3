/** Changes of ingest pipelines as messages: any node → elected cluster manager. */
import type { ActionCodec } from '@shoal/transport';
import {
  type AcknowledgedMessage,
  acknowledgement,
  plain,
  reader,
  type TimeoutsMessage,
  timeouts,
} from './manager-actions.ts';

export interface PutIngestPipelineMessage extends TimeoutsMessage {
  readonly id: string;
  /** JSON object, compact; the node that was asked has checked that a pipeline can be made of it. */
  readonly config: string;
}

export interface DeleteIngestPipelinesMessage extends TimeoutsMessage {
  /** An id, or a pattern of ids. */
  readonly id: string;
}

export const PUT_INGEST_PIPELINE: ActionCodec<PutIngestPipelineMessage, AcknowledgedMessage> = {
  name: 'cluster:admin/ingest/pipeline/put',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return { ...timeouts(r), id: r.string('id'), config: r.string('config') };
  },
  ...acknowledgement(),
};

export const DELETE_INGEST_PIPELINES: ActionCodec<DeleteIngestPipelinesMessage, AcknowledgedMessage> = {
  name: 'cluster:admin/ingest/pipeline/delete',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return { ...timeouts(r), id: r.string('id') };
  },
  ...acknowledgement(),
};
