/** Changes of ingest pipelines as messages: any node → elected cluster manager. */
import type { ActionCodec } from '@shoal/transport';
import { type AcknowledgedMessage, acknowledgedAction, type TimeoutsMessage } from './manager-codec.ts';

export interface PutIngestPipelineMessage extends TimeoutsMessage {
  readonly id: string;
  /** JSON object, compact; the node that was asked has checked that a pipeline can be made of it. */
  readonly config: string;
}

export interface DeleteIngestPipelinesMessage extends TimeoutsMessage {
  /** An id, or a pattern of ids. */
  readonly id: string;
}

export const PUT_INGEST_PIPELINE: ActionCodec<PutIngestPipelineMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/ingest/pipeline/put',
  (r) => ({ id: r.string('id'), config: r.string('config') }),
);

export const DELETE_INGEST_PIPELINES: ActionCodec<DeleteIngestPipelinesMessage, AcknowledgedMessage> =
  acknowledgedAction('cluster:admin/ingest/pipeline/delete', (r) => ({ id: r.string('id') }));
