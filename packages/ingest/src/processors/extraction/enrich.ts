/** `enrich`: adds what the index of an enrich policy knows of a value. */
import { parseEventJson } from '@shoal/agent-event';
import { assert, illegalArgument, type Steps } from '@shoal/core';
import { SHAPE_RELATIONS } from '../../contract/enrich-source.ts';
import type { PipelineRun, ProcessorType, RunOutcome } from '../../contract/processor.ts';
import type { IngestDocument } from '../../document/ingest-document.ts';

const MATCHES_MAX = 128;

export const enrichProcessor: ProcessorType = {
  type: 'enrich',
  create(config, { hasEnrichIndex }) {
    const policy = config.text('policy_name');
    if (!hasEnrichIndex(policy)) throw illegalArgument(`no enrich index exists for policy with name [${policy}]`);
    const field = config.pathTemplate('field');
    const target = config.pathTemplate('target_field');
    const ignoresMissing = config.flag('ignore_missing', false);
    const overrides = config.flag('override', true);
    const matchesMax = config.integer('max_matches', 1);
    if (matchesMax < 1 || matchesMax > MATCHES_MAX) {
      throw config.error('max_matches', 'should be between 1 and 128');
    }
    const unknown = `unknown shape relation [{}], expected one of [${SHAPE_RELATIONS.join(', ')}]`;
    const relation = config.optionalText('shape_relation')?.toLowerCase() ?? 'intersects';
    const known = SHAPE_RELATIONS.find((name) => name === relation);
    if (known === undefined) throw config.error('shape_relation', unknown.replace('{}', relation));
    return {
      kind: 'stepped',
      *steps(document: IngestDocument, run: PipelineRun): Steps<RunOutcome> {
        const path = field(document);
        const value = ignoresMissing ? document.find(path) : document.get(path);
        if (value === null) return 'kept';
        const lookup = { policy, value, matchesMax, relation: known };
        let found = run.lookUp(lookup);
        while (found === null) {
          yield;
          found = run.lookUp(lookup);
        }
        const to = target(document);
        const [first] = found;
        if (first !== undefined && (overrides || !document.has(to))) {
          document.set(to, matchesMax === 1 ? objectOf(first) : found.map(objectOf));
        }
        return 'kept';
      },
    };
  },
};

/** An object of its own for each document: processors change them in place. */
function objectOf(json: string): ReturnType<typeof parseEventJson> {
  const value = parseEventJson(json);
  assert(value instanceof Map, 'a document is a JSON object');
  return value;
}
