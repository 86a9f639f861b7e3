import { createServer as createHttpsServer } from 'node:https';
import { expect, test } from 'vitest';
import { identityOf, open, server, trusting } from '../../tls-plugin.test-support.ts';
import { start } from '../input-under-test.test-support.ts';
import { httpPollerInput } from './http-poller.ts';

test('the http_poller input asks a server that it trusts, and no other', async () => {
  const port = await open(createHttpsServer(identityOf(server), (_, response) => response.end('{"a":1}')));
  const options = { urls: { x: `https://127.0.0.1:${port}/` }, schedule: { every: '1h' } };
  const good = await start(httpPollerInput, { ...options, ...trusting() });
  await good.sink.until(1);
  expect(good.sink.events[0]?.fields.get('a')).toBe(1);
  const bad = await start(httpPollerInput, options);
  await bad.sink.until(1);
  expect(bad.sink.events[0]?.hasTag('_http_request_failure')).toBe(true);
});
