/**
 * `POST /{index}/_update/{id}`: changes a part of a document.
 */

import { withoutEffect } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { SOURCE_PARAMETERS } from '../request/source-parameters.ts';
import { writeDocument } from './write-document.ts';
import { SOURCE_ERROR_PARAMETER, WRITE_PARAMETERS } from './write-parameters.ts';

export const updateDocumentApi: RestApi = {
  usageName: 'document_update_action',
  methods: ['POST'],
  paths: ['/{index}/_update/{id}', '/{index}/_doc/{id}/_update'],
  privilege: 'indices:data/write/update',
  task: { action: 'indices:data/write/update', isCancellable: false },
  isHot: true,
  body: 'json',
  params: {
    ...WRITE_PARAMETERS,
    ...SOURCE_ERROR_PARAMETER,
    doc_as_upsert: 'boolean',
    if_seq_no: 'long',
    if_primary_term: 'long',
    lang: withoutEffect('string', 'the body names the language of its script'),
    retry_on_conflict: withoutEffect('integer', 'an update is one step on its shard, which meets no other'),
    ...SOURCE_PARAMETERS,
  },
  handler: (request, context) => writeDocument(request, context, 'update', request.params.required('id')),
};
