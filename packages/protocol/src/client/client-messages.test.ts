import { isShoalError } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytes, damage, nullable, overTheWire } from '../documents/message-arbitraries.test-support.ts';
import { CLIENT_EXECUTE, CLIENT_NODES } from './client-execute.ts';
import type { ClientRequest } from './client-request.ts';
import { restForm } from './rest-form.ts';

const whole = fc.integer({ min: 0, max: 1_000_000 });
const text = fc.string({ maxLength: 12 });
const refresh = fc.constantFrom('none' as const, 'immediate' as const, 'wait_for' as const);
const write = { index: text, routing: nullable(text), refresh, timeoutMs: whole };
const expected = { ifSeqNo: nullable(whole), ifPrimaryTerm: nullable(whole) };

const request: fc.Arbitrary<ClientRequest> = fc.oneof(
  fc.record({
    operation: fc.constant('index' as const),
    id: nullable(text),
    opType: fc.constantFrom('index' as const, 'create' as const),
    source: bytes,
    ...write,
    ...expected,
  }),
  fc.record({ operation: fc.constant('delete' as const), id: text, ...write, ...expected }),
  fc.record({
    operation: fc.constant('get' as const),
    index: text,
    id: text,
    routing: nullable(text),
    realtime: fc.boolean(),
  }),
  fc.record({ operation: fc.constant('bulk' as const), index: nullable(text), refresh, timeoutMs: whole, body: bytes }),
  fc.record({
    operation: fc.constantFrom('count' as const, 'search' as const),
    indices: fc.array(text, { maxLength: 3 }),
    routing: nullable(text),
    preference: nullable(text),
    body: nullable(bytes),
  }),
  fc.record({
    operation: fc.constant('clusterHealth' as const),
    indices: fc.array(text, { maxLength: 3 }),
    waitForStatus: nullable(fc.constantFrom('green' as const, 'yellow' as const, 'red' as const)),
    waitForNodes: nullable(text),
    timeoutMs: whole,
  }),
);

describe('a request of a client', () => {
  test('arrives as it was sent', () => {
    fc.assert(
      fc.property(request, (sent) => {
        expect(CLIENT_EXECUTE.readRequest(overTheWire(CLIENT_EXECUTE.writeRequest(sent)))).toEqual(sent);
      }),
    );
  });

  test('that is damaged is refused or read, and never crashes', () => {
    fc.assert(
      fc.property(request, fc.nat(), (sent, choice) => {
        try {
          CLIENT_EXECUTE.readRequest(damage(CLIENT_EXECUTE.writeRequest(sent), choice));
        } catch (error) {
          if (!isShoalError(error)) throw error;
        }
      }),
    );
  });

  test('has one REST form, in which names cannot break out of their place', () => {
    fc.assert(
      fc.property(request, (sent) => {
        const form = restForm(sent);
        expect(form.target.startsWith('/')).toBe(true);
        expect(() => new URL(form.target, 'http://node')).not.toThrow();
        if (sent.operation === 'get') expect(form.target.split('?')[0]?.split('/')).toHaveLength(4);
      }),
    );
  });
});

test('answers and node lists arrive as they were sent', () => {
  const answer = { status: 404, body: new TextEncoder().encode('{"found":false}') };
  expect(CLIENT_EXECUTE.readResponse(overTheWire(CLIENT_EXECUTE.writeResponse(answer)))).toEqual(answer);
  const nodes = { nodes: [{ nodeId: 'n', host: '127.0.0.1', port: 9300 }] };
  expect(CLIENT_NODES.readResponse(overTheWire(CLIENT_NODES.writeResponse(nodes)))).toEqual(nodes);
});

test('a search of some indices and an index operation in REST form', () => {
  const search = restForm({
    operation: 'search',
    indices: ['a', 'b*'],
    routing: 'r/1',
    preference: null,
    body: null,
  });
  expect(search).toMatchObject({ method: 'POST', target: '/a%2Cb*/_search?routing=r%2F1', contentType: null });
});
