/** Changes of enrich policies as messages: any node → elected cluster manager. */

import { type EnrichPolicy, readEnrichPolicyFields } from '@shoal/cluster-state';
import type { ActionCodec } from '@shoal/transport';
import { type AcknowledgedMessage, acknowledgedAction, type TimeoutsMessage } from './manager-codec.ts';

export type PutEnrichPolicyMessage = TimeoutsMessage & EnrichPolicy;

export interface DeleteEnrichPolicyMessage extends TimeoutsMessage {
  readonly name: string;
}

export const PUT_ENRICH_POLICY: ActionCodec<PutEnrichPolicyMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/xpack/enrich/put',
  readEnrichPolicyFields,
);

export const DELETE_ENRICH_POLICY: ActionCodec<DeleteEnrichPolicyMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/xpack/enrich/delete',
  (r) => ({ name: r.string('name') }),
);
