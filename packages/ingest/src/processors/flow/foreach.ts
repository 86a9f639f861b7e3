/** `foreach`: runs another processor for each entry of a list, which it finds under `_ingest._value`. */
import { illegalArgument, type Steps } from '@shoal/core';
import type { Processor, ProcessorContext, ProcessorType, RunOutcome } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import { notOfType } from '../../document/ingest-document.ts';
import type { DocumentValue } from '../../values/document-value.ts';

export const foreachProcessor: ProcessorType = { type: 'foreach', create: createForeach };

const VALUE = '_value';

function createForeach(config: ProcessorConfig, context: ProcessorContext): Processor {
  const field = parseFieldPath(config.text('field'));
  const configured = config.map('processor');
  const ignoresMissing = config.flag('ignore_missing', false);
  const [first, ...others] = [...configured];
  if (first === undefined || others.length > 0) {
    throw config.error('processor', 'Must specify exactly one processor type');
  }
  const [type, properties] = first;
  if (!(properties instanceof Map)) throw config.error('processor', "property isn't a map");
  const step = context.createStep(type, properties);
  return {
    kind: 'stepped',
    *steps(document, run): Steps<RunOutcome> {
      const list = ignoresMissing ? document.find(field) : document.get(field);
      if (list === null) {
        if (ignoresMissing) return 'kept';
        throw illegalArgument(`field [${field.text}] is null, cannot loop over its elements.`);
      }
      if (!Array.isArray(list)) throw notOfType(field, list, 'java.util.List');
      const values: DocumentValue[] = [];
      for (const value of list) {
        // A null is left behind where there was none, as Elasticsearch leaves it.
        const outer = document.ingest.get(VALUE) ?? null;
        document.ingest.set(VALUE, value);
        try {
          if ((yield* run.runStep(step, document)) === 'dropped') return 'dropped';
          values.push(document.ingest.get(VALUE) ?? null);
        } finally {
          document.ingest.set(VALUE, outer);
        }
      }
      document.set(field, values);
      return 'kept';
    },
  };
}
