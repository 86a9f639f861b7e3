/**
 * `DELETE /{index}/_doc/{id}`.
 */
import type { RestApi } from '../api/rest-api.ts';
import { writeDocument } from './write-document.ts';
import { CONDITION_PARAMETERS, WRITE_PARAMETERS } from './write-parameters.ts';

export const deleteDocumentApi: RestApi = {
  usageName: 'document_delete_action',
  methods: ['DELETE'],
  paths: ['/{index}/_doc/{id}'],
  privilege: 'indices:data/write/delete',
  task: { action: 'indices:data/write/delete', isCancellable: false },
  isHot: true,
  params: { ...WRITE_PARAMETERS, ...CONDITION_PARAMETERS },
  handler: (request, context) => writeDocument(request, context, 'delete', request.params.required('id')),
};
