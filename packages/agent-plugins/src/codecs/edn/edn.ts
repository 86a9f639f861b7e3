/**
 * The edn codec: each unit is one value of extensible data notation, the data of Clojure.
 */
import { utf8Text } from '@shoal/agent-event';
import { asBuffer, type PluginDefinition } from '@shoal/agent-plugin-kit';
import { ednEvent } from '../../edn/edn-events.ts';
import { eventToEdn } from '../../edn/edn-writer.ts';

export const ednCodec: PluginDefinition = {
  kind: 'codec',
  name: 'edn',
  version: '3.1.0',
  options: { target: { type: 'fieldReference' } },
  create(options, context) {
    const target = options.has('target') ? options.reference('target') : null;
    return {
      name: 'edn',
      needsUnits: true,
      decoder: () => ({
        decode: (bytes) => [ednEvent(utf8Text(asBuffer(bytes)), target, context)],
        flush: () => [],
      }),
      encode: (event) => Buffer.from(eventToEdn(event), 'utf8'),
    };
  },
};
