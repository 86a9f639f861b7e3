/**
 * checksum: a digest over the names and values of some fields, to know an event again.
 */
import { createHash } from 'node:crypto';
import { parseFieldReference } from '@shoal/agent-event';
import { type PluginDefinition, rubyText } from '@shoal/agent-plugin-kit';

const TARGET = parseFieldReference('logstash_checksum');

export const checksumFilter: PluginDefinition = {
  kind: 'filter',
  name: 'checksum',
  version: '3.0.4',
  isStateless: true,
  options: {
    keys: { type: 'array', default: ['message', '@timestamp', 'type'] },
    algorithm: { type: ['md5', 'sha', 'sha1', 'sha256', 'sha384'], default: 'sha256' },
  },
  create: (options, { escapeStyle }) => {
    // Order of bytes, as Ruby sorts: equal events have equal sums whatever order the option has.
    const names = [...options.strings('keys')].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const fields = names.map((name) => ({ name, reference: parseFieldReference(name, escapeStyle) }));
    const given = options.string('algorithm');
    const algorithm = given === 'sha' ? 'sha1' : given;
    return {
      filter: (event) => {
        const texts = fields.map(({ name, reference }) => `|${name}|${rubyText(event.get(reference) ?? null)}`);
        event.set(
          TARGET,
          createHash(algorithm)
            .update(`${texts.join('')}|`)
            .digest('hex'),
        );
        return 'matched';
      },
    };
  },
};
