import { compileTemplate, type LogEvent } from '@shoal/agent-event';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeOptions, type OptionsLiteral, testContext } from '../../plugin-instance.test-support.ts';
import { BulkItems } from './bulk-action.ts';
import { event } from './cluster-double.test-support.ts';
import { elasticsearchOutput } from './elasticsearch.ts';

const items = (index: string, options: OptionsLiteral = {}): BulkItems =>
  new BulkItems(
    makeOptions(elasticsearchOutput, { hosts: 'http://x', ...options }, testContext()),
    compileTemplate(index),
    null,
  );

const anyEvent = fc
  .record({
    '@timestamp': fc.constantFrom('2026-01-01T23:59:59.999Z', '2026-01-02T00:00:00Z', '1969-12-31T23:00:00Z'),
    name: fc.option(fc.constantFrom('a', 'b', '%{x}', 'ä"\\'), { nil: undefined }),
    n: fc.integer(),
    '@metadata': fc.option(
      fc.record({
        _ingest_document: fc.option(fc.constantFrom({ index: 'other' }, { id: '7', routing: 'r' }), { nil: undefined }),
      }),
      { nil: undefined },
    ),
  })
  .map((fields) => () => event(JSON.parse(JSON.stringify(fields)) as OptionsLiteral));

describe('items of a bulk request', () => {
  test.each([
    ['logs-%{+YYYY.MM.dd}', {}],
    ['%{name}-%{[n]}', { action: 'create' }],
    ['i', { dlq_on_failed_indexname_interpolation: false }],
    ['%{name}', { dlq_on_failed_indexname_interpolation: false }],
    ['i', { action: '%{name}' }],
    ['i', { document_id: '%{n}' }],
  ])('of events that only choose an index are what they are for any event: %s %j', (index, options) => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), (events) => {
        const made = items(index, options);
        for (const make of events) {
          const shown = (one: LogEvent, item: object): object => ({ ...item, event: one.fields.get('n') });
          const [one, other] = [make(), make()];
          expect(shown(one, made.of(one))).toEqual(shown(other, made.full(other)));
        }
      }),
      { numRuns: 60 },
    );
  });
});
