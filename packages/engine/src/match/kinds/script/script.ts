/**
 * The query `script` on a shard.
 */
import type { ScriptQuery } from '@shoal/query';
import { FILTER_CONTEXT } from '@shoal/script';
import { refuseExpensive } from '../../context/refuse-expensive.ts';
import { DocumentScript, describeScript } from '../../scripts/document-script.ts';
import { scriptWeight } from '../../scripts/script-match.ts';
import { markNothing, type QueryBehaviour } from '../query-behaviour.ts';

export const script: QueryBehaviour<ScriptQuery> = {
  compile(ctx, query, use) {
    refuseExpensive(ctx, 'script');
    return scriptWeight(ctx, new DocumentScript(ctx, query.script, FILTER_CONTEXT), use.boost);
  },
  describe: ({ script: request }) => ({ type: 'ScriptQuery', text: `ScriptQuery{${describeScript(request)}}` }),
  mark: markNothing,
};
