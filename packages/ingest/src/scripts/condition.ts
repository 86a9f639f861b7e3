/** Conditions of processors: scripts that look at the document. */
import { PROCESSOR_CONDITIONAL_CONTEXT, ReadOnlyValues } from '@shoal/script';
import type { ConfigPlace } from '../contract/config-error.ts';
import type { Condition } from '../contract/processor.ts';
import { ProcessorConfig } from '../contract/processor-config.ts';
import type { DocumentValue } from '../values/document-value.ts';
import { configuredScript, type StoredScriptTexts } from './script-option.ts';

/** @throws script_exception for one that does not compile, parse_exception for what is no script */
export function condition(value: DocumentValue, place: ConfigPlace, stored: StoredScriptTexts): Condition {
  const config = new ProcessorConfig(place, value instanceof Map ? value : new Map([['source', value]]));
  const { program, source, params } = configuredScript(config, { context: PROCESSOR_CONDITIONAL_CONTEXT, stored });
  const [unread] = config.unread();
  if (unread !== undefined) throw config.error('if', `[script] unknown field [${unread}]`);
  return {
    source,
    holds({ fields }) {
      const values = new ReadOnlyValues('Mutating ingest documents in conditionals is not supported');
      const result = program.run([params(), values.mapOf(fields)]);
      values.check();
      return result === true;
    },
  };
}
